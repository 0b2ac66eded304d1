//! How much there is of each value, by rank: a Fenwick tree.

/// What can be added up.
pub(super) trait Amount: Copy + Default {
    /// The sum.
    fn plus(self, other: Self) -> Self;
}

impl Amount for f64 {
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// Numbers of values; to take one away is to add its two's complement.
impl Amount for u32 {
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

/// Amounts by rank, of which sums up to a rank are found in logarithmic time, and ranks by such sums too.
#[derive(Debug)]
pub(super) struct Ranked<A> {
    /// Node `i` holds the sum of the `i & -i` ranks that end with rank `i - 1`.
    nodes: Vec<A>,
}

impl<A> Default for Ranked<A> {
    fn default() -> Self {
        Self { nodes: Vec::new() }
    }
}

impl<A: Amount> Ranked<A> {
    /// Nothing of any of `n` ranks.
    pub(super) fn reset(&mut self, n: usize) {
        self.nodes.clear();
        self.nodes.resize(n + 1, A::default());
    }

    /// Adds an amount to a rank.
    #[inline]
    pub(super) fn add(&mut self, rank: usize, amount: A) {
        let mut node = rank + 1;
        while node < self.nodes.len() {
            self.nodes[node] = self.nodes[node].plus(amount);
            node += node & node.wrapping_neg();
        }
    }

    /// The sum of the first `n` ranks.
    #[inline]
    pub(super) fn below(&self, n: usize) -> A {
        let mut sum = A::default();
        let mut node = n;
        while node > 0 {
            sum = sum.plus(self.nodes[node]);
            node &= node - 1;
        }
        sum
    }

    /// The number of ranks that together fall short: the first rank with which `reaches(sum)` is true.
    #[inline]
    pub(super) fn first(&self, reaches: impl Fn(A) -> bool) -> usize {
        let n = self.nodes.len() - 1;
        let mut sum = A::default();
        let mut found = 0;
        let mut step = (n + 1).next_power_of_two() / 2;
        while step > 0 {
            if found + step <= n {
                let with = sum.plus(self.nodes[found + step]);
                if !reaches(with) {
                    found += step;
                    sum = with;
                }
            }
            step /= 2;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_ranks_are_those_of_a_list() {
        for n in 1..20_usize {
            let mut ranked = Ranked::default();
            ranked.reset(n);
            let amounts: Vec<u32> = (0..n as u32).map(|i| (i * 7 + 3) % 4).collect();
            amounts.iter().enumerate().for_each(|(rank, amount)| ranked.add(rank, *amount));
            for i in 0..=n {
                assert_eq!(ranked.below(i), amounts[..i].iter().sum());
            }
            for target in 1..=amounts.iter().sum() {
                let first = ranked.first(|sum| sum >= target);
                assert!(ranked.below(first) < target && ranked.below(first + 1) >= target);
            }
        }
    }
}
