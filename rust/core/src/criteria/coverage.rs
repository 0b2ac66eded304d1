//! How much event time lies before a frame edge, for several classes at once and exactly.
//!
//! `covered(t) = Σ_events (min(t, offset) - min(t, onset))`, so a detection `[l, r)` shares
//! `covered(r) - covered(l)` with the events. Between two event boundaries this is a straight line,
//! `base + slope * t`, and a pass over the frames only has to follow the boundaries.
//!
//! Times are turned into integers (multiples of `2^-40` s for ordinary recordings): sums of integers
//! carry no error, however long the recording is, and the only error is that of the conversion.

use crate::events::Event;

/// Converts seconds to integer ticks that cannot overflow in a clip.
#[derive(Debug, Clone, Copy)]
pub struct Ticks {
    per_second: f64,
    seconds: f64,
    /// The largest time, to bound rounding errors.
    extent: f64,
}

impl Ticks {
    /// Ticks for a clip with these frame edges and events.
    pub fn new(edges: &[f64], events: impl Iterator<Item = Event>) -> Self {
        // Edges increase, so the first and the last are the extreme ones.
        let extremes = [edges.first(), edges.last()];
        let mut extent = extremes.into_iter().flatten().fold(1.0_f64, |extent, edge| extent.max(edge.abs()));
        let mut n_events = 0_u32;
        for event in events {
            extent = extent.max(event.onset.abs()).max(event.offset.abs());
            n_events += 1;
        }
        // base and slope * t stay below (2 n_events + 1) * extent ticks; 2^62 leaves room for a sign and a sum.
        let worst = extent * (2.0 * f64::from(n_events) + 1.0);
        let bits = (62.0 - worst.log2().ceil()).min(40.0) as i32;
        let per_second = 2.0_f64.powi(bits);
        Self { per_second, seconds: 1.0 / per_second, extent }
    }

    /// The tick nearest to a time.
    #[inline]
    pub fn of(self, time: f64) -> i64 {
        // Truncation is cheaper than rounding; the error bound below allows for a whole tick.
        (time * self.per_second) as i64
    }

    /// Seconds of a number of ticks.
    #[inline]
    pub fn to_seconds(self, ticks: i64) -> f64 {
        ticks as f64 * self.seconds
    }

    /// Bound of the difference between a sum over `n_events` intersections in ticks and the same in seconds.
    pub fn error(self, n_events: usize) -> f64 {
        (n_events as f64 + 2.0) * (2.0 * self.seconds + 4.0 * f64::EPSILON * self.extent)
    }
}

/// A place where the slope of one class changes.
#[derive(Debug, Clone, Copy)]
struct Boundary {
    at: i64,
    lane: u32,
    step: i64,
}

/// The boundaries of some classes ("lanes") of a clip in time order; shared by all passes over the clip.
#[derive(Debug, Default)]
pub struct Boundaries {
    sorted: Vec<Boundary>,
    n_lanes: usize,
}

impl Boundaries {
    /// Boundaries of lists of events, one lane for each list.
    pub fn new<'a>(lanes: impl Iterator<Item = &'a [Event]>, ticks: Ticks) -> Self {
        let mut sorted = Vec::new();
        let mut n_lanes = 0;
        for (lane, events) in lanes.enumerate() {
            sorted.reserve(2 * events.len());
            for event in events {
                for (at, step) in [(ticks.of(event.onset), 1), (ticks.of(event.offset), -1)] {
                    let lane = lane as u32;
                    sorted.push(Boundary { at, lane, step });
                }
            }
            n_lanes = lane + 1;
        }
        sorted.sort_unstable_by_key(|boundary| boundary.at);
        Self { sorted, n_lanes }
    }

    /// Number of lanes.
    pub fn n_lanes(&self) -> usize {
        self.n_lanes
    }
}

/// Event time before a tick, `base + slope * tick`, until the next boundary.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    base: i64,
    slope: i64,
}

impl Line {
    #[inline]
    fn turn(&mut self, boundary: &Boundary) {
        self.base -= boundary.step * boundary.at;
        self.slope += boundary.step;
    }

    #[inline]
    fn at(self, tick: i64) -> i64 {
        self.base + self.slope * tick
    }
}

/// `covered(t)` of every lane, followed from left to right.
#[derive(Debug)]
pub struct Coverage<'a> {
    boundaries: &'a [Boundary],
    lanes: Vec<Line>,
    /// All lanes together but the one left out.
    total: Line,
    left_out: Option<u32>,
    tick: i64,
}

impl<'a> Coverage<'a> {
    /// Follows the total of all lanes, from before all events.
    pub fn of_total(boundaries: &'a Boundaries) -> Self {
        Self::new(boundaries, 0, None)
    }

    /// Follows every lane, and the total of all but the lane `left_out`, from before all events.
    pub fn of_lanes(boundaries: &'a Boundaries, left_out: Option<usize>) -> Self {
        Self::new(boundaries, boundaries.n_lanes, left_out)
    }

    fn new(boundaries: &'a Boundaries, n_lanes: usize, left_out: Option<usize>) -> Self {
        Self {
            boundaries: &boundaries.sorted,
            lanes: vec![Line::default(); n_lanes],
            total: Line::default(),
            left_out: left_out.map(|lane| lane as u32),
            tick: i64::MIN,
        }
    }

    /// Moves on to `tick`, which must not lie before the last one.
    #[inline]
    pub fn reach(&mut self, tick: i64) {
        while let Some((boundary, rest)) = self.boundaries.split_first() {
            if boundary.at > tick {
                break;
            }
            if let Some(lane) = self.lanes.get_mut(boundary.lane as usize) {
                lane.turn(boundary);
            }
            if self.left_out != Some(boundary.lane) {
                self.total.turn(boundary);
            }
            self.boundaries = rest;
        }
        self.tick = tick;
    }

    /// What all lanes together cover before the tick reached.
    #[inline]
    pub fn total(&self) -> i64 {
        self.total.at(self.tick)
    }

    /// What each lane covers before the tick reached.
    #[inline]
    pub fn lanes(&self) -> impl ExactSizeIterator<Item = i64> + '_ {
        self.lanes.iter().map(|lane| lane.at(self.tick))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_counts_the_event_time_before_an_edge() {
        let first =
            [Event { onset: 1.0, offset: 3.0 }, Event { onset: 2.0, offset: 2.5 }, Event { onset: 7.0, offset: 7.0 }];
        let second = [Event { onset: -1.0, offset: 0.5 }];
        let edges = [0.0, 1.5, 2.25, 2.75, 4.0, 9.0];
        let ticks = Ticks::new(&edges, first.iter().chain(&second).copied());
        let boundaries = Boundaries::new([&first[..], &second[..]].into_iter(), ticks);
        let mut coverage = Coverage::of_lanes(&boundaries, None);
        let seconds: Vec<(f64, f64)> = edges
            .iter()
            .map(|edge| {
                coverage.reach(ticks.of(*edge));
                let covered: Vec<i64> = coverage.lanes().collect();
                assert_eq!(coverage.total(), covered.iter().sum());
                (ticks.to_seconds(covered[0]), ticks.to_seconds(covered[1]))
            })
            .collect();
        assert_eq!(seconds, [(0.0, 1.0), (0.5, 1.5), (1.5, 1.5), (2.25, 1.5), (2.5, 1.5), (2.5, 1.5)]);
    }

    #[test]
    fn ticks_do_not_overflow_at_absurd_times() {
        for extent in [1.0, 1e5, 1.7e9, 1e18, 1e300] {
            let events = vec![Event { onset: -extent, offset: extent }; 50];
            let ticks = Ticks::new(&[0.0, extent], events.iter().copied());
            let boundaries = Boundaries::new(std::iter::once(&events[..]), ticks);
            let mut coverage = Coverage::of_lanes(&boundaries, None);
            coverage.reach(ticks.of(-extent));
            coverage.reach(ticks.of(extent));
            let share = ticks.to_seconds(coverage.total()) / (100.0 * extent);
            assert!((share - 1.0).abs() < 1e-9, "{extent}: {share}");
        }
    }
}
