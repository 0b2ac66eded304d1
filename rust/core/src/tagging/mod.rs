//! Audio tagging: one score for each clip and class.
//!
//! ```text
//! scores and labels of a class --sort--> counts at every threshold --> average precision, ROC area, best F
//!                                                                 \--> the same with distances: OAP at every level
//! ```
//!
//! Precision, recall and everything made of them change only where a *positive* passes the threshold. So only the
//! positives are sorted, negatives are counted between them ([`ranking`]), and a class of 20,000 clips with
//! 100 positives has 100 points and not 20,000. Equal scores are one threshold: no order of clips is assumed.
//!
//! | module | what |
//! |---|---|
//! | [`keys`] | scores as integers of the same order, and their radix sort |
//! | [`weights`] | weights of clips, whose sums do not depend on the order of clips |
//! | [`ranking`] | the counts of one class at every threshold |
//! | [`metrics`] | average precision, area under the ROC, best F |
//! | [`labels`] | rows of labels: precision at the rank of each label of a clip |
//! | [`distances`] | distances between classes, and from classes to the labels of a clip |
//! | [`omap`] | ontology-aware average precision at all levels in one pass |
//! | [`obce`] | weights of the ontology-aware binary cross entropy |

pub mod distances;
pub mod keys;
pub mod labels;
pub mod metrics;
pub mod obce;
pub mod omap;
pub mod ranking;
pub mod weights;

/// What is known of a clip and a class.
pub mod label {
    /// The class is not in the clip.
    pub const NEGATIVE: u8 = 0;
    /// The class is in the clip.
    pub const POSITIVE: u8 = 1;
    /// Nobody knows: the pair counts neither way.
    pub const UNKNOWN: u8 = 2;
}
