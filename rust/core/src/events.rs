//! Target events of one clip: what should have been detected.

/// An event of one class in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// Where it begins.
    pub onset: f64,
    /// Where it ends; not before it begins.
    pub offset: f64,
}

impl Event {
    /// `offset - onset`.
    #[inline]
    pub fn length(self) -> f64 {
        self.offset - self.onset
    }

    /// The time that the event shares with `[start, end]`.
    #[inline]
    pub fn overlap(self, start: f64, end: f64) -> f64 {
        (self.offset.min(end) - self.onset.max(start)).max(0.0)
    }
}

/// An event with the index of its class.
pub type Labelled = (usize, Event);

/// The events of one class in one clip, in time order.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassEvents {
    /// Index of the class.
    pub class: usize,
    /// Sorted by onset, then offset. They may touch, overlap and nest.
    pub events: Vec<Event>,
}

/// The events of one clip, for the classes that have any, in ascending order of their index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClipEvents {
    classes: Vec<ClassEvents>,
}

impl ClipEvents {
    /// Groups events by class and sorts them by time.
    pub fn new(labelled: impl IntoIterator<Item = Labelled>) -> Self {
        let mut labelled: Vec<Labelled> = labelled.into_iter().collect();
        labelled.sort_by(|(class_a, a), (class_b, b)| {
            (class_a.cmp(class_b)).then(a.onset.total_cmp(&b.onset)).then(a.offset.total_cmp(&b.offset))
        });
        let mut classes: Vec<ClassEvents> = Vec::new();
        for (class, event) in labelled {
            match classes.last_mut() {
                Some(last) if last.class == class => last.events.push(event),
                _ => classes.push(ClassEvents { class, events: vec![event] }),
            }
        }
        Self { classes }
    }

    /// The classes that have events.
    pub fn classes(&self) -> &[ClassEvents] {
        &self.classes
    }

    /// Class and length of every event.
    pub fn lengths(&self) -> Box<[(u32, f64)]> {
        self.iter().map(|(class, event)| (class as u32, event.length())).collect()
    }

    /// Every event with its class, by class, then time.
    pub fn iter(&self) -> impl Iterator<Item = Labelled> + '_ {
        self.classes.iter().flat_map(|class| class.events.iter().map(|event| (class.class, *event)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_grouped_by_class_and_sorted_by_time() {
        let event = |onset, offset| Event { onset, offset };
        let events = ClipEvents::new([(2, event(3.0, 4.0)), (0, event(1.0, 2.0)), (2, event(0.0, 1.0))]);
        let order: Vec<_> = events.iter().map(|(class, event)| (class, event.onset)).collect();
        assert_eq!(order, [(0, 1.0), (2, 0.0), (2, 3.0)]);
        assert_eq!(events.classes().len(), 2);
    }
}
