//! Where a detection can be right at all: the rest of a recording needs no component tree.
//!
//! A detection that shares at least a share `s` of its length with events cannot reach far beyond them.
//! Walking to the right, every event of length `L` pays for `L / s` seconds of detection from its onset
//! on; where the credit is used up, the zone ends. The same to the left, from the offsets:
//!
//! ```text
//! event             ├──L──┤
//! to the right      ├─────────L / s────────┤
//! to the left    ├────────L / s──────┤
//! zone           ├─────────────────────────┤
//! ```
//!
//! If `[x, y]` shares enough, then for each `p` in it so does `[x, p]` or `[p, y]`, so `p` lies in the zone of
//! one of the directions: no such detection leaves its zone. (The credit is granted at once, which can only
//! make a zone too long.)

use std::ops::Range;

use crate::events::Event;

/// Times that do not overlap, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Zones(Vec<(f64, f64)>);

impl Zones {
    /// Where detections can share `share` of their length with `events`, which are sorted by onset, give or
    /// take `slack` seconds.
    pub fn new(events: &[Event], share: f64, slack: f64) -> Self {
        let mut zones = Vec::with_capacity(2 * events.len());
        push_reach(events, share, slack, |start, end| zones.push((start, end)));
        // Walking to the left is walking to the right in a mirror.
        let mirror = |event: &Event| Event { onset: -event.offset, offset: -event.onset };
        let mut mirrored: Vec<Event> = events.iter().rev().map(mirror).collect();
        if !mirrored.is_sorted_by(|a, b| a.onset <= b.onset) {
            mirrored.sort_unstable_by(|a, b| a.onset.total_cmp(&b.onset));
        }
        push_reach(&mirrored, share, slack, |start, end| zones.push((-end, -start)));
        Self::joined(zones)
    }

    /// All times of several zones.
    pub fn union<'a>(zones: impl Iterator<Item = &'a Self>) -> Self {
        Self::joined(zones.flat_map(|zones| zones.0.iter().copied()).collect())
    }

    fn joined(mut zones: Vec<(f64, f64)>) -> Self {
        zones.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        zones.dedup_by(|next, zone| {
            let touches = next.0 <= zone.1;
            if touches {
                zone.1 = zone.1.max(next.1);
            }
            touches
        });
        Self(zones)
    }

    /// The frames that lie in a zone at least in part, in ranges with at least `GAP` frames between them.
    pub fn frames(&self, edges: &[f64]) -> Vec<Range<usize>> {
        let n_frames = edges.len() - 1;
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(self.0.len());
        for (start, end) in &self.0 {
            let first = edges[1..].partition_point(|edge| edge <= start);
            let after_last = edges[..n_frames].partition_point(|edge| edge < end);
            match ranges.last_mut() {
                _ if first >= after_last => {}
                Some(last) if first < last.end + GAP => last.end = last.end.max(after_last),
                _ => ranges.push(first..after_last),
            }
        }
        ranges
    }
}

/// Ranges closer than this become one, so that each can be looked at with a frame more at either end.
const GAP: usize = 2;

/// How far detections that begin in events reach to the right.
fn push_reach(events: &[Event], share: f64, slack: f64, mut push: impl FnMut(f64, f64)) {
    let mut end = f64::NEG_INFINITY;
    for event in events {
        end = end.max(event.onset) + (event.length() + slack) / share;
        push(event.onset, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn event(onset: f64, offset: f64) -> Event {
        Event { onset, offset }
    }

    #[test]
    fn an_event_reaches_as_far_as_its_length_pays_for() {
        let zones = Zones::new(&[event(10.0, 12.0)], 0.5, 0.0);
        assert_eq!(zones, Zones(vec![(8.0, 14.0)]));
    }

    #[test]
    fn events_close_to_each_other_pay_together() {
        let zones = Zones::new(&[event(10.0, 12.0), event(13.0, 14.0), event(40.0, 41.0)], 0.5, 0.0);
        assert_eq!(zones, Zones(vec![(8.0, 16.0), (39.0, 42.0)]));
        let nested = Zones::new(&[event(10.0, 20.0), event(12.0, 13.0)], 1.0, 0.0);
        assert_eq!(nested, Zones(vec![(9.0, 21.0)])); // granted at once, so a little too long
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "lists of one range are compared")]
    fn frames_belong_to_a_zone_if_a_part_of_them_does() {
        let edges = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        let frames = |zones: &[(f64, f64)]| Zones(zones.to_vec()).frames(&edges);
        assert_eq!(frames(&[(1.5, 2.5)]), [1..3]);
        assert_eq!(frames(&[(1.0, 2.0), (2.2, 2.4), (2.6, 9.0)]), [1..5]);
        assert_eq!(frames(&[(0.0, 1.0), (3.0, 4.0)]), [0..1, 3..4]);
        assert_eq!(frames(&[(-3.0, -1.0), (-1.0, 0.5), (7.0, 8.0)]), [0..1]);
    }

    #[test]
    fn no_interval_that_shares_enough_leaves_its_zone() {
        let mut state = 3_u32;
        let mut below = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from((state >> 16) % n)
        };
        for _ in 0..2000 {
            let mut events: Vec<Event> = Vec::new();
            for _ in 0..3 {
                let onset = below(30);
                events.push(event(onset, onset + 1.0 + below(4)));
            }
            events.sort_by(|a, b| a.onset.total_cmp(&b.onset));
            let share = [0.1, 0.3, 0.5, 0.7, 1.0][below(5) as usize];
            let zones = Zones::new(&events, share, 1e-9);
            for start in 0..34 {
                for end in start + 1..=34 {
                    let (start, end) = (f64::from(start), f64::from(end));
                    let shared: f64 = events.iter().map(|event| event.overlap(start, end)).sum();
                    if shared >= share * (end - start) && shared > 0.0 {
                        let is_inside = |zone: &(f64, f64)| zone.0 <= start && end <= zone.1;
                        assert!(zones.0.iter().any(is_inside), "{events:?} {share} [{start}, {end}] {zones:?}");
                    }
                }
            }
        }
    }
}
