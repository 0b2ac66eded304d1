//! Numbers of one class from its points, highest threshold first.

use super::ranking::{Point, Totals};

/// Average precision: `sum over thresholds of (R_j - R_{j-1}) P_j`, without interpolation.
///
/// It is NaN without positives.
#[derive(Debug, Default, Clone, Copy)]
pub struct AveragePrecision(f64);

impl AveragePrecision {
    /// Adds the next point.
    #[inline]
    pub fn add<K>(&mut self, point: Point<K>) {
        self.0 += point.gained * (point.tps / (point.tps + point.fps));
    }

    /// The sum over the number of positives.
    pub fn value(self, totals: Totals) -> f64 {
        self.0 / totals.positives
    }
}

/// The area under the ROC up to a false positive rate, by trapezoids: equal scores count one half.
#[derive(Debug, Clone, Copy)]
pub struct RocArea {
    max_fpr: f64,
    tps: f64,
    fps: f64,
    area: f64,
}

impl RocArea {
    /// An area that ends at `max_fpr`, which is above 0 and at most 1.
    pub fn new(max_fpr: f64) -> Self {
        Self { max_fpr, tps: 0.0, fps: 0.0, area: 0.0 }
    }

    /// Adds the next point: first level to the negatives above it, then straight to it.
    #[inline]
    pub fn add<K>(&mut self, totals: Totals, point: Point<K>) {
        self.go(totals, point.fps_above, self.tps);
        self.go(totals, point.fps, point.tps);
    }

    /// Areas are counted in pairs of a positive and a negative, whole or half, until the last division.
    #[inline]
    fn go(&mut self, totals: Totals, fps: f64, tps: f64) {
        let limit = self.max_fpr * totals.negatives;
        if self.fps < limit {
            let (end, high) = if fps > limit {
                (limit, self.tps + (tps - self.tps) * (limit - self.fps) / (fps - self.fps))
            } else {
                (fps, tps)
            };
            self.area += (end - self.fps) * f64::midpoint(self.tps, high);
        }
        (self.fps, self.tps) = (fps, tps);
    }

    /// NaN without positives or without negatives; a part is corrected as McClish (1989) does, so that scores
    /// that tell nothing have 1/2.
    pub fn value(mut self, totals: Totals) -> f64 {
        self.go(totals, totals.negatives, self.tps);
        let area = self.area / (totals.positives * totals.negatives);
        if self.max_fpr == 1.0 || area.is_nan() {
            return area;
        }
        let chance = self.max_fpr * self.max_fpr / 2.0;
        f64::midpoint(1.0, (area - chance) / (self.max_fpr - chance))
    }
}

/// The best F over all thresholds, the highest threshold among equals.
#[derive(Debug, Clone, Copy)]
pub struct BestF<K> {
    beta_squared: f64,
    best: Option<(f64, Point<K>)>,
}

impl<K: Copy> BestF<K> {
    /// F with recall `beta` times as important as precision.
    pub fn new(beta: f64) -> Self {
        Self { beta_squared: beta * beta, best: None }
    }

    /// Looks at the next point: between two points F only falls.
    #[inline]
    pub fn add(&mut self, totals: Totals, point: Point<K>) {
        let f = (1.0 + self.beta_squared) * point.tps / (self.beta_squared * totals.positives + point.tps + point.fps);
        if self.best.is_none_or(|(best, _)| f > best) {
            self.best = Some((f, point));
        }
    }

    /// F and its point; nothing without positives.
    pub fn value(self) -> Option<(f64, Point<K>)> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::super::ranking::{Column, Workspace, points};
    use super::super::weights::Ones;
    use super::*;

    fn numbers(scores: &[f64], labels: &[u8], max_fpr: f64) -> (f64, f64, Option<f64>) {
        let mut ap = AveragePrecision::default();
        let mut area = RocArea::new(max_fpr);
        let mut best = BestF::new(1.0);
        let column = Column { scores, labels, class: 0 };
        let totals = points(column, &Ones, &mut Workspace::default(), |totals, point| {
            ap.add(point);
            area.add(totals, point);
            best.add(totals, point);
        });
        let totals = totals.unwrap();
        (ap.value(totals), area.value(totals), best.value().map(|(f, _)| f))
    }

    #[test]
    fn four_clips_by_hand() {
        // Ranks: + - + -. Precision 1 at the first positive, 2/3 at the second; 3 of 4 pairs are in order.
        let (ap, area, best) = numbers(&[0.9, 0.8, 0.7, 0.1], &[1, 0, 1, 0], 1.0);
        assert_eq!((ap, area, best), (f64::midpoint(1.0, 2.0 / 3.0), 0.75, Some(0.8)));
    }

    #[test]
    fn equal_scores_are_one_threshold_and_half_a_pair() {
        assert_eq!(numbers(&[0.5, 0.5], &[1, 0], 1.0), (0.5, 0.5, Some(2.0 / 3.0)));
        assert_eq!(numbers(&[0.5, 0.5], &[1, 0], 0.25).1, 0.5);
    }

    #[test]
    fn without_positives_there_is_nothing() {
        let (ap, area, best) = numbers(&[0.5, 0.1], &[0, 0], 1.0);
        assert!(ap.is_nan() && area.is_nan() && best.is_none());
        assert!(numbers(&[0.5, 0.1], &[1, 1], 0.5).1.is_nan());
    }
}
