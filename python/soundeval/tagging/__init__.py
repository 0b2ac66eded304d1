"""Audio tagging: one score for each clip and class, in the style of scikit-learn.

``y_true`` and ``y_score`` have the shape (n_clips, n_classes); labels are 0 or 1, scores any finite
numbers of which only the order matters, unless a function says otherwise. A clip is tagged where
its score is *at least* the threshold, and equal scores are one threshold: no result depends on the
order of clips.

| what you want | look at |
|---|---|
| all of it from one sort per class | `statistics`, `TaggingStatistics` |
| mAP, of classes, pooled or by clip; padded cmAP | `average_precision`, `padded_cmap` |
| area under the ROC, or a part of it; d-prime | `roc_auc`, `d_prime` |
| how clips rank their labels | `lwlrap`, `hit_at_k`, `precision_at_k`, `recall_at_k` |
| F at thresholds, best F with its thresholds | `f_score`, `best_f_score` |
| accuracy, calibration | `accuracy`, `calibration_error`, `brier_score` |
| ontology-aware mean average precision | `omap` |
| tables of labels and scores in files | `read_tags` |
| pictures of it | `plot_omap`, `plot_omap_comparison` |

What the functions share:

* ``average`` is ``"macro"`` (mean over classes), ``"micro"`` (all pairs of clip and class pooled),
  ``"weighted"`` (classes by their positives), ``"samples"`` where a clip can be asked too, or None
  for an array with a number for each class.
* ``sample_weight`` has a weight for each clip; a weight of 3 is the same as three clips.
* ``mask`` is True where the label is known. Other pairs count neither as positive nor as negative.
* ``labels`` are the columns to evaluate, by number, or by name if the input is a table.
* A class without positives has no average precision, and a clip without labels no ranking. They
  are NaN and left out of means, unless a policy argument says otherwise; ``"zero"`` gives
  scikit-learn's numbers. `TaggingStatistics` and `OmapResult` say how many there were.

The same in slow, obvious Python: ``soundeval.reference``.
"""

from soundeval.tagging.average_precision import average_precision, padded_cmap
from soundeval.tagging.calibration import accuracy, brier_score, calibration_error
from soundeval.tagging.f_score import BestFScore, best_f_score, f_score
from soundeval.tagging.label_ranking import hit_at_k, lwlrap, precision_at_k, recall_at_k
from soundeval.tagging.omap import OmapResult, omap
from soundeval.tagging.plot import plot_omap, plot_omap_comparison
from soundeval.tagging.roc import d_prime, roc_auc
from soundeval.tagging.statistics import ClassTaggingStatistics, TaggingStatistics, statistics
from soundeval.tagging.tables import TagTable, read_tags

__all__ = [
    "BestFScore",
    "ClassTaggingStatistics",
    "OmapResult",
    "TagTable",
    "TaggingStatistics",
    "accuracy",
    "average_precision",
    "best_f_score",
    "brier_score",
    "calibration_error",
    "d_prime",
    "f_score",
    "hit_at_k",
    "lwlrap",
    "omap",
    "padded_cmap",
    "plot_omap",
    "plot_omap_comparison",
    "precision_at_k",
    "read_tags",
    "recall_at_k",
    "roc_auc",
    "statistics",
]
