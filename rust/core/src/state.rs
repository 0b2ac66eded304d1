//! Saved states: a store as bytes that carry a version and a checksum, and load without running code.
//!
//! ```text
//! magic, version | criterion | class names | clips in the order of their ids | CRC-32 of all before
//! ```
//!
//! All numbers are little-endian. The same clips always give the same bytes.

use std::collections::BTreeMap;

use crate::clip_deltas::{ClipDeltas, Piece, Words};
use crate::criteria::{Collar, Criterion, Intersection, Segment};
use crate::deltas::{Count, Word};
use crate::error::{Error, Result};
use crate::store::DeltaStore;
use crate::units::are_in_order;

const MAGIC: &[u8; 8] = b"SEDELTAS";
const VERSION: u16 = 2;

impl DeltaStore {
    /// The store as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        put_criterion(&mut out, &self.criterion);
        put_len(&mut out, self.classes.len());
        for class in &self.classes {
            put_text(&mut out, class);
        }
        put_len(&mut out, self.clips.len());
        for (id, clip) in &self.clips {
            put_text(&mut out, id);
            let classes = (0..self.classes.len()).map(|class| clip.class(class));
            out.push(u8::from(!clip.is_single()));
            put_len(&mut out, classes.clone().map(|words| words.len()).sum());
            classes.clone().for_each(|words| words.put(&mut out));
            let mut end = 0;
            for words in classes {
                end += words.len();
                put_len(&mut out, end);
            }
            put_len(&mut out, clip.n_entries);
            put_len(&mut out, clip.targets.len());
            for (class, length) in &clip.targets {
                out.extend_from_slice(&class.to_le_bytes());
                out.extend_from_slice(&length.to_le_bytes());
            }
        }
        let checksum = crc32fast::hash(&out);
        out.extend_from_slice(&checksum.to_le_bytes());
        out
    }

    /// A store from the bytes of [`DeltaStore::to_bytes`]; anything else is refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let Some((content, checksum)) = bytes.split_last_chunk::<4>() else {
            return Err(damaged("it is too short"));
        };
        let mut reader = Reader { rest: content };
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(damaged("it does not begin like one"));
        }
        let version = u16::from_le_bytes(reader.array()?);
        if version != VERSION {
            return Err(damaged(&format!(
                "it has version {version}, and this release reads version {VERSION}; make it again with this release"
            )));
        }
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err(damaged("its checksum does not fit, so some bytes are missing or changed"));
        }
        let criterion = reader.criterion()?;
        let n_classes = reader.len(4)?;
        let classes = (0..n_classes).map(|_| reader.text()).collect::<Result<Vec<_>>>()?;
        let mut store = Self::new(criterion, classes)?;
        let n_clips = reader.len(1)?;
        let mut clips = BTreeMap::new();
        for _ in 0..n_clips {
            let id = reader.text()?;
            if clips.insert(id, reader.clip(n_classes, criterion.has_negatives())?).is_some() {
                return Err(damaged("a clip occurs twice"));
            }
        }
        if !reader.rest.is_empty() {
            return Err(damaged("there are bytes left over"));
        }
        store.clips = clips;
        Ok(store)
    }
}

fn put_criterion(out: &mut Vec<u8>, criterion: &Criterion) {
    match criterion {
        Criterion::Clip => out.push(0),
        Criterion::Segment(segment) => {
            out.push(1);
            out.extend_from_slice(&segment.segment_length().to_le_bytes());
            out.push(segment.time_decimals());
        }
        Criterion::Collar(collar) => {
            out.push(2);
            out.extend_from_slice(&collar.onset_collar().to_le_bytes());
            put_optional(out, collar.offset_collar());
            out.extend_from_slice(&collar.offset_collar_rate().to_le_bytes());
            out.push(collar.time_decimals());
        }
        Criterion::Intersection(intersection) => {
            out.push(3);
            out.extend_from_slice(&intersection.dtc_threshold().to_le_bytes());
            out.extend_from_slice(&intersection.gtc_threshold().to_le_bytes());
            put_optional(out, intersection.cttc_threshold());
            out.push(intersection.time_decimals());
        }
    }
}

fn put_optional(out: &mut Vec<u8>, value: Option<f64>) {
    out.push(u8::from(value.is_some()));
    out.extend_from_slice(&value.unwrap_or(0.0).to_le_bytes());
}

fn put_len(out: &mut Vec<u8>, len: usize) {
    out.extend_from_slice(&(len as u64).to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_len(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

fn damaged(problem: &str) -> Error {
    Error::State { problem: problem.to_owned() }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let Some((taken, rest)) = self.rest.split_at_checked(n) else {
            return Err(damaged("it ends too early"));
        };
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// A number of items of at least `bytes` each: more than can follow are refused before memory is taken.
    fn len(&mut self, bytes: usize) -> Result<usize> {
        let len = u64::from_le_bytes(self.array()?);
        match usize::try_from(len) {
            Ok(len) if len.checked_mul(bytes).is_some_and(|needed| needed <= self.rest.len()) => Ok(len),
            _ => Err(damaged("it ends too early")),
        }
    }

    fn float(&mut self) -> Result<f64> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    fn text(&mut self) -> Result<String> {
        let len = self.len(1)?;
        let text = std::str::from_utf8(self.take(len)?);
        Ok(text.map_err(|_| damaged("a name is not UTF-8"))?.to_owned())
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    fn optional(&mut self) -> Result<Option<f64>> {
        let is_some = self.byte()? == 1;
        let value = self.float()?;
        Ok(is_some.then_some(value))
    }

    fn criterion(&mut self) -> Result<Criterion> {
        Ok(match self.byte()? {
            0 => Criterion::Clip,
            1 => Segment::new(self.float()?, self.byte()?)?.into(),
            2 => Collar::new(self.float()?, self.optional()?, self.float()?, self.byte()?)?.into(),
            3 => Intersection::new(self.float()?, self.float()?, self.optional()?, self.byte()?)?.into(),
            _ => return Err(damaged("its criterion is unknown")),
        })
    }

    fn clip(&mut self, n_classes: usize, has_negatives: bool) -> Result<ClipDeltas> {
        let words = match self.byte()? {
            0 => Words::Single(self.words(n_classes, u64::from_le_bytes)?),
            1 => Words::Double(self.words(n_classes, u128::from_le_bytes)?),
            _ => return Err(damaged("a precision is unknown")),
        };
        let n_words = match &words {
            Words::Single(words) => words.len(),
            Words::Double(words) => words.len(),
        };
        let ends = (0..n_classes).map(|_| Ok(u64::from_le_bytes(self.array()?) as usize));
        let ends = ends.collect::<Result<Box<[usize]>>>()?;
        if !ends.is_sorted() || ends.last() != Some(&n_words) {
            return Err(damaged("the deltas of a clip are not divided by class"));
        }
        let n_entries = u64::from_le_bytes(self.array()?);
        let Ok(n_entries) = u32::try_from(n_entries).map(|n_entries| n_entries as usize) else {
            return Err(damaged("a clip has too many entries"));
        };
        let n_targets = self.len(12)?;
        let targets = (0..n_targets).map(|_| {
            let class = u32::from_le_bytes(self.array()?);
            let length = self.float()?;
            if class as usize >= n_classes || length.is_nan() || length < 0.0 {
                return Err(damaged("a target has no class or no length"));
            }
            Ok((class, length))
        });
        let targets = targets.collect::<Result<Box<[(u32, f64)]>>>()?;
        let is_counted = |class: usize| targets.iter().filter(|(target, _)| *target as usize == class).count();
        if has_negatives && (0..n_classes).any(|class| is_counted(class) > n_entries) {
            return Err(damaged("a clip has more positive entries than entries"));
        }
        let clip = ClipDeltas { pieces: vec![Piece { words, ends }], targets, n_entries };
        if has_negatives && !are_in_order(&clip) {
            return Err(damaged("a clip has other numbers of entries and of scores"));
        }
        Ok(clip)
    }

    fn words<W: Word, const N: usize>(&mut self, n_classes: usize, read: fn([u8; N]) -> W) -> Result<Box<[W]>> {
        let n_words = self.len(N)?;
        let words = (0..n_words).map(|_| {
            let word = read(self.array()?);
            match word.count() {
                Count::CrossTriggers(class) if class >= n_classes => Err(damaged("a delta has no class")),
                _ => Ok(word),
            }
        });
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::events::{ClipEvents, Event};
    use crate::parallel::Cancel;
    use crate::scores::{FrameEdges, Frames};
    use crate::store::{AnyFrames, ClipInput};

    fn store() -> DeltaStore {
        let criterion = Intersection::new(0.5, 0.5, Some(0.3), 6).expect("valid");
        let names = vec!["Dog".to_owned(), "Türklingel".to_owned()];
        let edges = FrameEdges::new("a", 3, vec![0.0, 1.0, 2.0, 3.0]).map(Arc::new).expect("valid");
        let single = Frames::new("a", &names, edges.clone(), vec![0.1_f32, 0.9, 0.2, 0.4, 0.4, 0.6]);
        let double = Frames::new("b", &names, edges, vec![0.1_f64, 0.9, 0.2, 0.4, 0.4, 0.6]);
        let event = |onset, offset| Event { onset, offset };
        let clip = |id: &str, frames| ClipInput {
            id: id.to_owned(),
            first_class: 0,
            frames,
            events: ClipEvents::new([(0, event(1.0, 2.0)), (1, event(0.5, 2.5))]),
            duration: None,
        };
        let mut store = DeltaStore::new(criterion, names).expect("valid");
        let inputs = [
            clip("a", AnyFrames::Single(single.expect("valid"))),
            clip("b", AnyFrames::Double(double.expect("valid"))),
        ];
        store.extend(inputs.into(), &Cancel::new()).expect("valid");
        store
    }

    #[test]
    fn bytes_give_back_the_store() {
        let store = store();
        assert_eq!(DeltaStore::from_bytes(&store.to_bytes()), Ok(store));
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_noticed() {
        let bytes = store().to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(DeltaStore::from_bytes(&damaged).is_err(), "byte {at}");
            assert!(DeltaStore::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn nonsense_with_a_right_checksum_is_refused_without_a_panic() {
        let bytes = store().to_bytes();
        let content = &bytes[..bytes.len() - 4];
        let mut state = 1_u32;
        for at in MAGIC.len() + 2..content.len() {
            let mut nonsense = content.to_vec();
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            nonsense[at] = (state >> 24) as u8;
            let checksum = crc32fast::hash(&nonsense);
            nonsense.extend_from_slice(&checksum.to_le_bytes());
            if let Ok(store) = DeltaStore::from_bytes(&nonsense) {
                let _ = store.class_statistics(0, &[1]);
                let _ = store.t_ref();
            }
        }
    }
}
