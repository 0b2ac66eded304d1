//! What every naive loop over thresholds does, whatever it counts.

/// Counts at every distinct score, just below it, where they differ from those above.
///
/// Returns the scores, ascending, and the counts; the last are `none` at infinity, where nothing is detected.
pub fn points<C: Clone + PartialEq>(
    scores: impl Iterator<Item = f64>,
    none: C,
    counts_at: impl Fn(f64) -> C,
) -> (Vec<f64>, Vec<C>) {
    let mut cuts: Vec<f64> = scores.filter(|score| *score > f64::NEG_INFINITY).collect();
    cuts.sort_by(|a, b| b.total_cmp(a));
    cuts.dedup();
    let mut points = vec![(f64::INFINITY, none)];
    for cut in cuts {
        let counts = counts_at(cut);
        if points[points.len() - 1].1 != counts {
            points.push((cut, counts));
        }
    }
    points.into_iter().rev().unzip()
}
