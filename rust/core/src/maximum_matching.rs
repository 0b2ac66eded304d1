//! One maximum matching between detections and targets, and always the same one of several.
//!
//! How many pairs there are is a question of the hits alone; *which* pairs, and so how far these are apart and
//! what is left over, is not. Hopcroft and Karp (1973) in the formulation that Eppstein published is what the
//! evaluators of this field run, so agreement with them to the last pair takes the same order of everything:
//!
//! 1. Detections, in the order that [`DetectionOrder`] names, take their first free target.
//! 2. Layers: the detections without target reach targets not seen before; those that are taken lead to
//!    their detections, which are the next layer; until a layer reaches a free target, or nothing.
//! 3. Every free target, in the order in which they were reached, goes back through the layers, each target and
//!    each detection used once, and where it gets to a detection without target all on the way move on.
//! 4. Again from 2., until no free target is reached.
//!
//! The paths of one round are as short as any, and those of the next are longer, so there are `O(sqrt(n))` rounds,
//! each linear in the hits (Hopcroft and Karp). Where hits fall apart into parts without hits between them,
//! the pairs of each part are those that it would have alone.
//!
//! The way back is a loop with a stack of its own: chains of any length are no trouble. For matchings of detections
//! that come and go there is [`crate::criteria::matching`], which keeps only their size apart from its history.

/// Stands for no detection and for no target.
const NONE: u32 = u32::MAX;

/// Parent of a detection that no layer has reached, or that was used on a way back.
const UNREACHED: u32 = u32::MAX - 1;

/// Which detection chooses first. Targets are always taken in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DetectionOrder {
    /// As they first appear among the hits, from one target to the next (`sed_eval`, `mir_eval`).
    FirstHit,
    /// Ascending (`sed_scores_eval`: detections in order of time).
    Ascending,
}

/// A detection that may be paired with a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Number of the target.
    pub target: u32,
    /// Number of the detection.
    pub detection: u32,
}

/// Finds maximum matchings, and keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct MaximumMatching {
    /// The targets that detection `d` hits are `hits[first_hit[d]..first_hit[d + 1]]`, ascending.
    first_hit: Vec<u32>,
    hits: Vec<u32>,
    /// Detections that hit anything, in the order in which they choose.
    order: Vec<u32>,
    target_of: Vec<u32>,
    detection_of: Vec<u32>,
    /// Of a detection: the target it was reached from, [`NONE`] where it is a root, or [`UNREACHED`].
    parent: Vec<u32>,
    /// Of a target: the round and the layer in which it was reached, 0 before the first.
    reached_in: Vec<u32>,
    /// Of a target: the first and the last of the links to the detections that reached it, [`NONE`] without.
    reached_by: Vec<(u32, u32)>,
    /// A detection that reached a target, and the link of the next one.
    links: Vec<(u32, u32)>,
    layer: Vec<u32>,
    next_layer: Vec<u32>,
    free: Vec<u32>,
    /// Targets on the way back, each with the detection through which it goes.
    path: Vec<(u32, u32)>,
}

impl MaximumMatching {
    /// Pairs as many of `n_detections` detections and `n_targets` targets as possible and says how many these are.
    ///
    /// `hits` are sorted by target, then by detection, each named once.
    pub fn find(&mut self, n_detections: usize, n_targets: usize, hits: &[Hit], order: DetectionOrder) -> usize {
        debug_assert!(hits.is_sorted_by(|a, b| a < b), "hits must ascend");
        self.read_hits(n_detections, n_targets, hits, order);
        let mut n_pairs = self.take_first_free();
        // Nothing to gain where every detection, or every target, that can have a partner has one.
        let n_targets_hit = hits.chunk_by(|a, b| a.target == b.target).count();
        let most = self.order.len().min(n_targets_hit);
        let mut round = 0;
        while n_pairs < most {
            if !self.build_layers(&mut round) {
                break;
            }
            let free = std::mem::take(&mut self.free);
            n_pairs += free.iter().filter(|target| self.go_back(**target)).count();
            self.free = free;
        }
        n_pairs
    }

    /// The target that a detection is paired with.
    pub fn target_of(&self, detection: usize) -> Option<usize> {
        self.target_of.get(detection).filter(|target| **target != NONE).map(|target| *target as usize)
    }

    /// The detection that a target is paired with.
    pub fn detection_of(&self, target: usize) -> Option<usize> {
        self.detection_of.get(target).filter(|detection| **detection != NONE).map(|detection| *detection as usize)
    }

    /// The pairs `(detection, target)` by target.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = self.detection_of.iter().enumerate().filter(|(_, detection)| **detection != NONE);
        pairs.map(|(target, detection)| (*detection as usize, target))
    }

    /// Sorts hits by detection, each with its targets ascending, and puts detections into their order.
    fn read_hits(&mut self, n_detections: usize, n_targets: usize, hits: &[Hit], order: DetectionOrder) {
        refill(&mut self.target_of, n_detections, NONE);
        refill(&mut self.detection_of, n_targets, NONE);
        refill(&mut self.reached_in, n_targets, 0);
        refill(&mut self.reached_by, n_targets, (NONE, NONE));
        refill(&mut self.first_hit, n_detections + 1, 0);
        refill(&mut self.hits, hits.len(), NONE);
        self.order.clear();
        for hit in hits {
            let n_hits = &mut self.first_hit[hit.detection as usize + 1];
            if *n_hits == 0 {
                self.order.push(hit.detection);
            }
            *n_hits += 1;
        }
        if order == DetectionOrder::Ascending {
            self.order.sort_unstable();
        }
        for detection in 0..n_detections {
            self.first_hit[detection + 1] += self.first_hit[detection];
        }
        // From the back, so that the beginning of a detection ends up where its first hit is.
        refill(&mut self.parent, n_detections, 0);
        for detection in &self.order {
            self.parent[*detection as usize] = self.first_hit[*detection as usize + 1];
        }
        for hit in hits.iter().rev() {
            let at = &mut self.parent[hit.detection as usize];
            *at -= 1;
            self.hits[*at as usize] = hit.target;
        }
    }

    fn hits_of(&self, detection: u32) -> std::ops::Range<usize> {
        self.first_hit[detection as usize] as usize..self.first_hit[detection as usize + 1] as usize
    }

    fn take_first_free(&mut self) -> usize {
        let mut n_pairs = 0;
        for at in 0..self.order.len() {
            let detection = self.order[at];
            let hits = &self.hits[self.hits_of(detection)];
            if let Some(&target) = hits.iter().find(|target| self.detection_of[**target as usize] == NONE) {
                self.target_of[detection as usize] = target;
                self.detection_of[target as usize] = detection;
                n_pairs += 1;
            }
        }
        n_pairs
    }

    /// Reaches out from the detections without target, up to the first layer with free targets if there is one.
    fn build_layers(&mut self, round: &mut u32) -> bool {
        self.links.clear();
        self.free.clear();
        self.layer.clear();
        self.parent.fill(UNREACHED);
        let first_round = *round + 1;
        for at in 0..self.order.len() {
            let detection = self.order[at];
            if self.target_of[detection as usize] == NONE {
                self.parent[detection as usize] = NONE;
                self.layer.push(detection);
            }
        }
        while !self.layer.is_empty() && self.free.is_empty() {
            *round += 1;
            // Targets in the order in which they are reached; then the detections that these lead to.
            self.next_layer.clear();
            for at in 0..self.layer.len() {
                let detection = self.layer[at];
                for hit in self.hits_of(detection) {
                    let target = self.hits[hit];
                    if self.reached_in[target as usize] < first_round {
                        self.reached_in[target as usize] = *round;
                        self.reached_by[target as usize] = (NONE, NONE);
                        self.next_layer.push(target);
                    }
                    if self.reached_in[target as usize] == *round {
                        self.link(target, detection);
                    }
                }
            }
            self.layer.clear();
            for at in 0..self.next_layer.len() {
                let target = self.next_layer[at];
                match self.detection_of[target as usize] {
                    NONE => self.free.push(target),
                    detection => {
                        self.parent[detection as usize] = target;
                        self.layer.push(detection);
                    }
                }
            }
        }
        !self.free.is_empty()
    }

    /// Remembers that `detection` reached `target`, after those that did before.
    fn link(&mut self, target: u32, detection: u32) {
        let link = self.links.len() as u32;
        self.links.push((detection, NONE));
        let (first, last) = &mut self.reached_by[target as usize];
        match *last {
            NONE => *first = link,
            last => self.links[last as usize].1 = link,
        }
        *last = link;
    }

    /// Takes the next detection that reached `target`, which no way back will use again.
    fn next_reached_by(&mut self, target: u32) -> Option<u32> {
        let (first, _) = &mut self.reached_by[target as usize];
        let (detection, next) = *self.links.get(*first as usize)?;
        *first = next;
        Some(detection)
    }

    /// Searches from a free target back to a detection without target, and moves all on the way on if there is one.
    ///
    /// A target gives its detections away one by one. Once it was entered nobody enters it again in this round: its
    /// only way in is from its own detection, whose parent is then used, so this needs no mark.
    fn go_back(&mut self, free: u32) -> bool {
        self.path.clear();
        let mut target = free;
        loop {
            let Some(detection) = self.next_reached_by(target) else {
                // Nobody leads on from here: its detection is used, the one before tries its next.
                match self.path.pop() {
                    Some((previous, _)) => target = previous,
                    None => return false,
                }
                continue;
            };
            let parent = std::mem::replace(&mut self.parent[detection as usize], UNREACHED);
            if parent == UNREACHED {
                continue;
            }
            self.path.push((target, detection));
            if parent == NONE {
                break;
            }
            target = parent;
        }
        for (target, detection) in self.path.drain(..) {
            self.detection_of[target as usize] = detection;
            self.target_of[detection as usize] = target;
        }
        true
    }
}

/// Clears a vector and fills it with `n` values.
fn refill<T: Clone>(vector: &mut Vec<T>, n: usize, value: T) {
    vector.clear();
    vector.resize(n, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(targets: &[&[u32]]) -> Vec<Hit> {
        let targets = targets.iter().enumerate();
        targets
            .flat_map(|(target, detections)| {
                detections.iter().map(move |detection| Hit { target: target as u32, detection: *detection })
            })
            .collect()
    }

    /// The partner of every detection.
    fn targets(n_detections: usize, hits_of_targets: &[&[u32]], order: DetectionOrder) -> Vec<Option<usize>> {
        let mut matching = MaximumMatching::default();
        let size = matching.find(n_detections, hits_of_targets.len(), &hits(hits_of_targets), order);
        let targets: Vec<_> = (0..n_detections).map(|detection| matching.target_of(detection)).collect();
        assert_eq!(targets.iter().flatten().count(), size);
        for (detection, target) in matching.pairs() {
            assert_eq!(targets[detection], Some(target));
            assert_eq!(matching.detection_of(target), Some(detection));
        }
        targets
    }

    #[test]
    fn the_first_free_target_is_taken_in_the_order_of_detections() {
        // One target and two detections: whoever comes first has it.
        let graph: &[&[u32]] = &[&[0, 1]];
        assert_eq!(targets(2, graph, DetectionOrder::FirstHit), [Some(0), None]);
        assert_eq!(targets(2, graph, DetectionOrder::Ascending), [Some(0), None]);
        // Target 0 is hit by 1 and 2, target 1 by 0 and 2: they appear as 1, 2, 0.
        let graph: &[&[u32]] = &[&[1, 2], &[0, 2]];
        assert_eq!(targets(3, graph, DetectionOrder::FirstHit), [None, Some(0), Some(1)]);
        assert_eq!(targets(3, graph, DetectionOrder::Ascending), [Some(1), Some(0), None]);
    }

    #[test]
    fn a_pair_makes_room_for_a_detection_that_has_no_choice() {
        // 0 takes target 0, which is all that 1 hits.
        let graph: &[&[u32]] = &[&[0, 1], &[0]];
        for order in [DetectionOrder::FirstHit, DetectionOrder::Ascending] {
            assert_eq!(targets(2, graph, order), [Some(1), Some(0)]);
        }
    }

    #[test]
    fn without_hits_there_are_no_pairs() {
        let mut matching = MaximumMatching::default();
        assert_eq!(matching.find(0, 0, &[], DetectionOrder::FirstHit), 0);
        assert_eq!(matching.find(3, 2, &[], DetectionOrder::FirstHit), 0);
        assert_eq!((matching.target_of(2), matching.detection_of(1), matching.target_of(7)), (None, None, None));
    }

    /// The published recursion, word by word, with maps in order of insertion.
    fn eppstein(graph: &[(u32, Vec<u32>)]) -> Vec<(u32, u32)> {
        #[derive(Clone, Copy, PartialEq)]
        enum Parent {
            Unmatched,
            Target(u32),
        }
        struct Round {
            preds: Vec<(u32, Vec<u32>)>,
            pred: Vec<(u32, Parent)>,
        }
        fn recurse(v: u32, round: &mut Round, matching: &mut Vec<(u32, u32)>) -> bool {
            let Some(at) = round.preds.iter().position(|(w, _)| *w == v) else {
                return false;
            };
            let (_, us) = round.preds.remove(at);
            for u in us {
                if let Some(at) = round.pred.iter().position(|(w, _)| *w == u) {
                    let (_, pu) = round.pred.remove(at);
                    let found = match pu {
                        Parent::Unmatched => true,
                        Parent::Target(pu) => recurse(pu, round, matching),
                    };
                    if found {
                        matching.retain(|(w, _)| *w != v);
                        matching.push((v, u));
                        return true;
                    }
                }
            }
            false
        }
        let mut matching: Vec<(u32, u32)> = Vec::new();
        for (u, vs) in graph {
            if let Some(v) = vs.iter().find(|v| matching.iter().all(|(w, _)| w != *v)) {
                matching.push((*v, *u));
            }
        }
        loop {
            let partner = |v: u32, matching: &[(u32, u32)]| matching.iter().find(|(w, _)| *w == v).map(|(_, u)| *u);
            let mut round = Round { preds: Vec::new(), pred: Vec::new() };
            for (u, _) in graph {
                if matching.iter().all(|(_, w)| w != u) {
                    round.pred.push((*u, Parent::Unmatched));
                }
            }
            let mut unmatched = Vec::new();
            let mut layer: Vec<u32> = round.pred.iter().map(|(u, _)| *u).collect();
            while !layer.is_empty() && unmatched.is_empty() {
                let mut new_layer: Vec<(u32, Vec<u32>)> = Vec::new();
                for u in &layer {
                    let (_, vs) = graph.iter().find(|(w, _)| w == u).expect("in the graph");
                    for v in vs.iter().filter(|v| round.preds.iter().all(|(w, _)| w != *v)) {
                        match new_layer.iter_mut().find(|(w, _)| w == v) {
                            Some((_, us)) => us.push(*u),
                            None => new_layer.push((*v, vec![*u])),
                        }
                    }
                }
                layer.clear();
                for (v, us) in new_layer {
                    round.preds.push((v, us));
                    match partner(v, &matching) {
                        Some(u) => {
                            layer.push(u);
                            round.pred.push((u, Parent::Target(v)));
                        }
                        None => unmatched.push(v),
                    }
                }
            }
            if unmatched.is_empty() {
                matching.sort_unstable();
                return matching;
            }
            for v in unmatched {
                recurse(v, &mut round, &mut matching);
            }
        }
    }

    fn augment(detection: usize, hits: &[Vec<u32>], partner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        hits[detection].iter().any(|target| {
            let target = *target as usize;
            let found = !std::mem::replace(&mut seen[target], true)
                && partner[target].is_none_or(|other| augment(other, hits, partner, seen));
            if found {
                partner[target] = Some(detection);
            }
            found
        })
    }

    fn random_below(state: &mut u64, n: usize) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % n
    }

    #[test]
    fn the_pairs_are_those_of_the_published_recursion_and_as_many_as_can_be() {
        let mut state = 5;
        let mut matching = MaximumMatching::default();
        for case in 0..4000 {
            let n_detections = random_below(&mut state, 12);
            let n_targets = random_below(&mut state, 12);
            let density = 1 + random_below(&mut state, 8);
            let mut hits = Vec::new();
            for target in 0..n_targets as u32 {
                for detection in 0..n_detections as u32 {
                    if random_below(&mut state, 10) < density {
                        hits.push(Hit { target, detection });
                    }
                }
            }
            let mut by_detection = vec![Vec::new(); n_detections];
            for hit in &hits {
                by_detection[hit.detection as usize].push(hit.target);
            }
            let mut partner = vec![None; n_targets];
            let largest = (0..n_detections)
                .filter(|d| augment(*d, &by_detection, &mut partner, &mut vec![false; n_targets]))
                .count();
            let mut first_hit: Vec<u32> = Vec::new();
            for hit in &hits {
                if !first_hit.contains(&hit.detection) {
                    first_hit.push(hit.detection);
                }
            }
            let mut ascending = first_hit.clone();
            ascending.sort_unstable();
            for (order, detections) in [(DetectionOrder::FirstHit, &first_hit), (DetectionOrder::Ascending, &ascending)]
            {
                let size = matching.find(n_detections, n_targets, &hits, order);
                assert_eq!(size, largest, "case {case}");
                let graph: Vec<(u32, Vec<u32>)> =
                    detections.iter().map(|d| (*d, by_detection[*d as usize].clone())).collect();
                let pairs: Vec<_> = matching.pairs().map(|(d, t)| (t as u32, d as u32)).collect();
                assert_eq!(pairs, eppstein(&graph), "case {case} {order:?}");
            }
        }
    }

    #[test]
    fn parts_without_hits_between_them_do_not_feel_each_other() {
        let mut state = 9;
        let mut matching = MaximumMatching::default();
        for case in 0..1000 {
            // Even numbers are one part, odd ones the other.
            let n = 14;
            let density = 1 + random_below(&mut state, 8);
            let mut hits = Vec::new();
            for target in 0..n as u32 {
                for detection in (target % 2..n as u32).step_by(2) {
                    if random_below(&mut state, 10) < density {
                        hits.push(Hit { target, detection });
                    }
                }
            }
            for order in [DetectionOrder::FirstHit, DetectionOrder::Ascending] {
                matching.find(n, n, &hits, order);
                let together: Vec<_> = matching.pairs().collect();
                let mut apart = Vec::new();
                for part in 0..2 {
                    let hits: Vec<_> = hits.iter().copied().filter(|hit| hit.target % 2 == part).collect();
                    matching.find(n, n, &hits, order);
                    apart.extend(matching.pairs());
                }
                apart.sort_unstable_by_key(|(_, target)| *target);
                assert_eq!(together, apart, "case {case} {order:?}");
            }
        }
    }

    #[test]
    fn long_chains_are_no_trouble() {
        // Detection i takes target i, but the last one hits target 0 only: all of them have to move on.
        for n in [2000, 100_000] {
            let mut hits: Vec<Hit> = vec![Hit { target: 0, detection: n - 1 }];
            for detection in 0..n - 1 {
                hits.extend([detection, detection + 1].map(|target| Hit { target, detection }));
            }
            hits.sort_unstable();
            let mut matching = MaximumMatching::default();
            for order in [DetectionOrder::FirstHit, DetectionOrder::Ascending] {
                let n = n as usize;
                assert_eq!(matching.find(n, n, &hits, order), n);
                assert_eq!(matching.target_of(n - 1), Some(0));
                assert_eq!(matching.target_of(0), Some(1));
            }
        }
    }

    #[test]
    fn a_large_complete_graph_is_no_trouble() {
        let n = 700;
        let hits: Vec<_> =
            (0..n).flat_map(|target| (0..n + 5).map(move |detection| Hit { target, detection })).collect();
        let mut matching = MaximumMatching::default();
        let n = n as usize;
        assert_eq!(matching.find(n + 5, n, &hits, DetectionOrder::FirstHit), n);
    }
}
