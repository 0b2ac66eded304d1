//! Which of many events overlap a given time, in time order.
//!
//! Events are sorted by onset, with a tree above them whose nodes know the latest offset below. A search goes only
//! where something overlaps, so it costs the number of events that it finds times the depth of the tree, also if
//! events nest.

use crate::events::Event;

/// Events in time order, to be searched by time.
#[derive(Debug, Default)]
pub(super) struct IntervalIndex {
    events: Vec<(Event, u32)>,
    /// The latest offset below each node; the children of node `i` are `2 i` and `2 i + 1`, the root is 1.
    latest: Vec<f64>,
    n_leaves: usize,
}

impl IntervalIndex {
    /// Takes numbered events, sorted by onset, offset, then as they come.
    pub(super) fn refill(&mut self, events: impl Iterator<Item = (Event, u32)>) {
        self.events.clear();
        self.events.extend(events);
        self.events.sort_by(|(a, _), (b, _)| a.onset.total_cmp(&b.onset).then(a.offset.total_cmp(&b.offset)));
        self.n_leaves = self.events.len().next_power_of_two();
        self.latest.clear();
        self.latest.resize(2 * self.n_leaves, f64::NEG_INFINITY);
        for (leaf, (event, _)) in self.latest[self.n_leaves..].iter_mut().zip(&self.events) {
            *leaf = event.offset;
        }
        for node in (1..self.n_leaves).rev() {
            self.latest[node] = self.latest[2 * node].max(self.latest[2 * node + 1]);
        }
    }

    /// The events in time order, with their numbers.
    pub(super) fn events(&self) -> &[(Event, u32)] {
        &self.events
    }

    /// Shows the places, in time order, of the events that share some time with another one.
    pub(super) fn overlapping(&self, event: Event, mut visit: impl FnMut(usize)) {
        if !self.events.is_empty() {
            self.search(event, 1, 0, self.n_leaves, &mut visit);
        }
    }

    fn search(&self, event: Event, node: usize, first: usize, n_leaves: usize, visit: &mut impl FnMut(usize)) {
        if first >= self.events.len() || self.events[first].0.onset >= event.offset {
            return;
        }
        if self.latest[node] <= event.onset {
            return;
        }
        if n_leaves == 1 {
            visit(first);
            return;
        }
        let half = n_leaves / 2;
        self.search(event, 2 * node, first, half, visit);
        self.search(event, 2 * node + 1, first + half, half, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_events_are_those_that_share_time() {
        let mut state = 3_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut index = IntervalIndex::default();
        for _ in 0..500 {
            let mut event = || {
                let onset = below(20) as f64;
                Event { onset, offset: onset + below(12) as f64 }
            };
            let events: Vec<Event> = (0..7).map(|_| event()).collect();
            index.refill(events.iter().copied().zip(0..));
            let asked = event();
            let mut found = Vec::new();
            index.overlapping(asked, |at| found.push(at));
            let expected: Vec<usize> = (0..events.len())
                .filter(|at| {
                    let (event, _) = index.events()[*at];
                    event.onset < asked.offset && asked.onset < event.offset
                })
                .collect();
            assert_eq!(found, expected, "{asked:?} in {:?}", index.events());
        }
    }

    #[test]
    fn nothing_overlaps_where_there_are_no_events() {
        let mut index = IntervalIndex::default();
        index.refill(std::iter::empty());
        index.overlapping(Event { onset: 0.0, offset: 1.0 }, |_| panic!("there is nothing"));
    }
}
