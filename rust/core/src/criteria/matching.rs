//! The largest number of pairs of detections and targets, kept up while detections come and go.
//!
//! As the threshold falls, detections appear, grow and merge. Each change inserts or removes one detection,
//! which changes the size of a maximum matching by one at most, and one search settles by how much.
//!
//! # What is kept
//!
//! A target without partner is *free*, a detection without one is *spare*. Besides the pairs every target
//! carries a flag, whether it is *sated*, such that always
//!
//! 1. a free target is not sated, and
//! 2. a detection that is spare, or whose partner is sated, hits sated targets only.
//!
//! These two prove that no matching is larger. Take the sated targets and the detections whose partner is
//! not sated: by 2 every hit touches one of them, and by 1 they are exactly as many as the pairs. Every
//! pair of any matching needs one of its own among them (Kőnig 1931).
//!
//! # What a change costs
//!
//! A new detection looks for a free target, and needs to look only through targets that are not sated. If it
//! finds none, all it came through become sated. Where a pair with a sated target breaks, the target looks
//! for a spare detection, and only through sated targets; if it finds none, these are sated no longer. Where
//! the target was not sated there is nothing to look for.
//!
//! A search is linear in the hits it looks at: one, for targets that are apart from each other, and never
//! more than all hits of those that are linked through detections. One that finds nothing turns over all the
//! flags on its way, so the next one stops there at once.

/// Stands for no detection and for no target.
const NONE: u32 = u32::MAX;

/// Partner of a detection that is not there (yet, or any more).
const ABSENT: u32 = u32::MAX - 1;

#[derive(Debug, Clone, Copy)]
struct Detection {
    /// Its hits in the list of all.
    first_hit: usize,
    n_hits: u32,
    /// A target, or [`NONE`], or [`ABSENT`].
    partner: u32,
}

#[derive(Debug, Clone, Copy)]
struct Target {
    /// A detection, or [`NONE`].
    partner: u32,
    sated: bool,
    /// In a search: where it was reached from, a detection going forwards and a target going backwards.
    from: u32,
}

/// A maximum-cardinality matching between detections that come and go and targets that stay.
///
/// Its memory is kept from one [`Matching::reset`] to the next.
#[derive(Debug, Default)]
pub struct Matching {
    targets: Vec<Target>,
    detections: Vec<Detection>,
    hits: Vec<u32>,
    /// The detections that hit each target, some of which may have gone.
    hit_by: Vec<Vec<u32>>,
    /// Targets that a search came through.
    visited: Vec<u32>,
    size: usize,
}

impl Matching {
    /// Starts again with `n_targets` targets and no detections.
    pub fn reset(&mut self, n_targets: usize) {
        self.hit_by.iter_mut().take(self.targets.len()).for_each(Vec::clear);
        if self.hit_by.len() < n_targets {
            self.hit_by.resize_with(n_targets, Vec::new);
        }
        self.targets.clear();
        self.targets.resize(n_targets, Target { partner: NONE, sated: false, from: NONE });
        self.detections.clear();
        self.hits.clear();
        self.size = 0;
    }

    /// Number of pairs.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The target that a detection is paired with. Which one of several it is depends on the history.
    pub fn partner(&self, detection: usize) -> Option<usize> {
        let partner = self.detections.get(detection)?.partner;
        (partner < ABSENT).then_some(partner as usize)
    }

    /// A detection appears that hits `targets`, each named once.
    ///
    /// Detections have small numbers of the caller's choice; none is used twice before a reset.
    pub fn insert(&mut self, detection: usize, targets: &[u32]) {
        if self.detections.len() <= detection {
            self.detections.resize(detection + 1, Detection { first_hit: 0, n_hits: 0, partner: ABSENT });
        }
        debug_assert_eq!((self.detections[detection].partner, self.detections[detection].n_hits), (ABSENT, 0));
        self.detections[detection] =
            Detection { first_hit: self.hits.len(), n_hits: targets.len() as u32, partner: NONE };
        self.hits.extend_from_slice(targets);
        for &target in targets {
            self.hit_by[target as usize].push(detection as u32);
        }
        self.find_target(detection as u32);
    }

    /// A detection disappears.
    pub fn remove(&mut self, detection: usize) {
        let partner = std::mem::replace(&mut self.detections[detection].partner, ABSENT);
        debug_assert_ne!(partner, ABSENT, "detection {detection} is not there");
        if partner == NONE {
            return;
        }
        let target = &mut self.targets[partner as usize];
        target.partner = NONE;
        if !target.sated || !self.find_detection(partner) {
            self.size -= 1;
        }
    }

    /// Pairs a new detection if that is possible, by moving others if need be.
    fn find_target(&mut self, detection: u32) {
        self.visited.clear();
        let mut next = 0;
        let mut searching = detection;
        loop {
            let Detection { first_hit, n_hits, .. } = self.detections[searching as usize];
            for hit in first_hit..first_hit + n_hits as usize {
                let reached = self.hits[hit];
                let target = &mut self.targets[reached as usize];
                if target.sated {
                    continue;
                }
                target.from = searching;
                if target.partner == NONE {
                    self.mark_visited(false);
                    self.pair_forwards(reached);
                    self.size += 1;
                    return;
                }
                // Sated as it seems: that keeps it from being visited twice.
                target.sated = true;
                self.visited.push(reached);
            }
            let Some(&target) = self.visited.get(next) else {
                return;
            };
            next += 1;
            searching = self.targets[target as usize].partner;
        }
    }

    /// Every detection on the way to a free target moves on to the target it led to.
    fn pair_forwards(&mut self, free: u32) {
        let mut target = free;
        while target != NONE {
            let detection = self.targets[target as usize].from;
            self.targets[target as usize].partner = detection;
            target = std::mem::replace(&mut self.detections[detection as usize].partner, target);
        }
    }

    /// Pairs a sated target that lost its partner, if that is possible, and says whether it is.
    fn find_detection(&mut self, bereft: u32) -> bool {
        self.visited.clear();
        self.visited.push(bereft);
        self.targets[bereft as usize].sated = false;
        let mut next = 0;
        while let Some(&searching) = self.visited.get(next) {
            next += 1;
            let hit_by = &mut self.hit_by[searching as usize];
            let mut at = 0;
            while let Some(&detection) = hit_by.get(at) {
                match self.detections[detection as usize].partner {
                    ABSENT => {
                        hit_by.swap_remove(at);
                        continue;
                    }
                    NONE => {
                        self.mark_visited(true);
                        self.pair_backwards(detection, searching);
                        return true;
                    }
                    partner => {
                        let target = &mut self.targets[partner as usize];
                        if target.sated {
                            target.sated = false;
                            target.from = searching;
                            self.visited.push(partner);
                        }
                    }
                }
                at += 1;
            }
        }
        false
    }

    /// A spare detection takes `target`, whose partner moves on, and so forth up to the one that lost its own.
    fn pair_backwards(&mut self, spare: u32, target: u32) {
        let (mut detection, mut target) = (spare, target);
        while detection != NONE {
            self.detections[detection as usize].partner = target;
            let Target { partner, from, .. } = self.targets[target as usize];
            self.targets[target as usize].partner = detection;
            (detection, target) = (partner, from);
        }
    }

    fn mark_visited(&mut self, sated: bool) {
        for &target in &self.visited {
            self.targets[target as usize].sated = sated;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Matching {
        fn assert_invariants(&self) {
            let mut n_pairs = 0;
            for (number, target) in self.targets.iter().enumerate() {
                if target.partner == NONE {
                    assert!(!target.sated, "free target {number} is sated");
                } else {
                    assert_eq!(self.detections[target.partner as usize].partner, number as u32);
                    n_pairs += 1;
                }
            }
            assert_eq!(n_pairs, self.size);
            for detection in self.detections.iter().filter(|detection| detection.partner != ABSENT) {
                let hits = &self.hits[detection.first_hit..][..detection.n_hits as usize];
                if detection.partner != NONE {
                    assert!(hits.contains(&detection.partner));
                    assert_eq!(self.detections[self.targets[detection.partner as usize].partner as usize].hits(), {
                        detection.hits()
                    });
                }
                if detection.partner == NONE || self.targets[detection.partner as usize].sated {
                    assert!(hits.iter().all(|target| self.targets[*target as usize].sated));
                }
            }
        }
    }

    impl Detection {
        fn hits(&self) -> (usize, u32) {
            (self.first_hit, self.n_hits)
        }
    }

    #[test]
    fn a_pair_makes_room_for_a_detection_that_has_no_choice() {
        let mut matching = Matching::default();
        matching.reset(2);
        matching.insert(0, &[0, 1]);
        assert_eq!((matching.size(), matching.partner(0)), (1, Some(0)));
        matching.insert(1, &[0]); // 0 moves on to target 1
        assert_eq!((matching.size(), matching.partner(0), matching.partner(1)), (2, Some(1), Some(0)));
        matching.insert(2, &[0, 1]); // no room
        assert_eq!((matching.size(), matching.partner(2)), (2, None));
        matching.remove(1); // 2 steps in
        assert_eq!((matching.size(), matching.partner(2)), (2, Some(0)));
        matching.remove(0);
        assert_eq!(matching.size(), 1);
        matching.remove(2);
        assert_eq!((matching.size(), matching.partner(2)), (0, None));
    }

    #[test]
    fn a_target_that_loses_its_partner_gets_a_spare_one_from_far_away() {
        let mut matching = Matching::default();
        matching.reset(3);
        for (detection, hits) in [(0, &[0][..]), (1, &[1, 0]), (2, &[2, 1]), (3, &[2])] {
            matching.insert(detection, hits);
        }
        assert_eq!((matching.size(), matching.partner(3)), (3, None));
        matching.remove(0); // 3 takes target 2, 2 takes 1, 1 takes 0
        assert_eq!(matching.size(), 3);
        assert_eq!([1, 2, 3].map(|detection| matching.partner(detection)), [Some(0), Some(1), Some(2)]);
        matching.assert_invariants();
    }

    #[test]
    fn a_detection_without_hits_changes_nothing() {
        let mut matching = Matching::default();
        matching.reset(1);
        matching.insert(5, &[]);
        assert_eq!((matching.size(), matching.partner(5), matching.partner(7)), (0, None, None));
        matching.remove(5);
        assert_eq!(matching.size(), 0);
    }

    /// Finds a free target for a detection by trying everything (Kuhn 1955).
    fn augment(detection: usize, hits: &[Vec<u32>], partner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        for &target in &hits[detection] {
            let target = target as usize;
            if !std::mem::replace(&mut seen[target], true)
                && partner[target].is_none_or(|other| augment(other, hits, partner, seen))
            {
                partner[target] = Some(detection);
                return true;
            }
        }
        false
    }

    fn size_from_scratch(alive: &[Vec<u32>], n_targets: usize) -> usize {
        let mut partner = vec![None; n_targets];
        (0..alive.len())
            .filter(|&detection| augment(detection, alive, &mut partner, &mut vec![false; n_targets]))
            .count()
    }

    #[test]
    fn the_size_is_that_of_a_matching_from_scratch_after_every_change() {
        let mut state = 11_u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut matching = Matching::default();
        for case in 0..3000 {
            let n_targets = 1 + below(8);
            // From lonely pairs to complete graphs, and more or fewer detections than targets.
            let density = 1 + below(8);
            let crowd = 1 + below(2 * n_targets + 2);
            matching.reset(n_targets);
            let mut alive: Vec<(usize, Vec<u32>)> = Vec::new();
            for detection in 0..40 {
                while alive.len() >= crowd || (!alive.is_empty() && below(3) == 0) {
                    matching.remove(alive.swap_remove(below(alive.len())).0);
                    matching.assert_invariants();
                    let hits: Vec<Vec<u32>> = alive.iter().map(|(_, hits)| hits.clone()).collect();
                    assert_eq!(matching.size(), size_from_scratch(&hits, n_targets), "case {case}");
                }
                let hits: Vec<u32> = (0..n_targets as u32).filter(|_| below(8) < density).collect();
                matching.insert(detection, &hits);
                alive.push((detection, hits));
                matching.assert_invariants();
                let hits: Vec<Vec<u32>> = alive.iter().map(|(_, hits)| hits.clone()).collect();
                assert_eq!(matching.size(), size_from_scratch(&hits, n_targets), "case {case}");
            }
        }
    }

    #[test]
    fn a_large_complete_graph_is_no_trouble() {
        let n = 5000;
        let everything: Vec<u32> = (0..n as u32).collect();
        let mut matching = Matching::default();
        matching.reset(n);
        for detection in 0..n + 100 {
            matching.insert(detection, &everything);
            assert_eq!(matching.size(), (detection + 1).min(n));
        }
        for detection in 0..n + 100 {
            matching.remove(detection);
            assert_eq!(matching.size(), (n + 99 - detection).min(n));
        }
    }

    #[test]
    fn a_long_chain_is_no_trouble() {
        // Detection i hits targets i and i + 1; the one that closes the chain moves all of them, one way or the other.
        let n = 100_000;
        let mut matching = Matching::default();
        matching.reset(n);
        for detection in 0..n - 1 {
            matching.insert(detection, &[detection as u32, detection as u32 + 1]);
        }
        matching.insert(n, &[0]);
        assert_eq!((matching.size(), matching.partner(n - 2)), (n, Some(n - 1)));
        matching.insert(n + 1, &[n as u32 - 1]);
        assert_eq!((matching.size(), matching.partner(n + 1)), (n, None));
        matching.remove(n);
        assert_eq!((matching.size(), matching.partner(0)), (n, Some(0)));
    }
}
