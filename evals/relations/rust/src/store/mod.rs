mod error; //= imports src/store/error.rs

use std::collections::HashMap;

pub use self::error::StoreError; //= imports src/store/error.rs StoreError
use crate::units::Metres; //= imports src/units.rs Metres
use crate::Tide; //= imports src/lib.rs Tide

type Row = (u32, f64);

#[derive(Default)]
pub struct Store {
    rows: HashMap<String, Vec<Row>>, //= uses src/store/mod.rs Row
    cache: Option<Cache>, //= uses src/store/mod.rs Cache
}

struct Cache {
    last: String,
}

impl Cache {
    fn holds(&self, harbour: &str) -> bool {
        self.last == harbour
    }
}

impl Store {
    pub fn add(&mut self, harbour: &str, row: Row) { //= uses src/store/mod.rs Row
        self.rows.entry(harbour.to_string()).or_default().push(row);
        self.cache = Some(Cache { last: harbour.to_string() }); //= calls src/store/mod.rs Cache
    }

    pub fn harbours(&self) -> Vec<&String> {
        self.rows.keys().collect()
    }

    pub fn next(&self, harbour: &str) -> Result<Tide, StoreError> { //= uses src/lib.rs Tide; uses src/store/error.rs StoreError
        let rows = self.rows.get(harbour).ok_or_else(|| StoreError::unknown(harbour))?; //= calls src/store/error.rs StoreError.unknown; uses src/store/error.rs StoreError
        let first = rows.first().ok_or(StoreError::Empty)?; //= uses src/store/error.rs StoreError.Empty; uses src/store/error.rs StoreError
        Ok(Tide::new(first.0, Metres(first.1))) //= calls src/lib.rs Tide.new; uses src/lib.rs Tide; calls src/units.rs Metres
    }

    pub fn is_warm(&self, harbour: &str) -> bool {
        self.cache.as_ref().unwrap().holds(harbour) //= calls src/store/mod.rs Cache.holds
    }
}
