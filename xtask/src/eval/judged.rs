//! Lines and folders that people judged. It does not know the detector.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::score::{Sample, masked};

/// The lines of a table of judgements: `+` or `-`, a file and a line whose value stands between `⟦` and `⟧`.
///
/// # Errors
/// That a line has another form.
pub(crate) fn lines(table: &str) -> Result<Vec<Sample>, String> {
    let rows = table.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    rows.map(|(number, row)| {
        let mut columns = row.splitn(3, '\t');
        let (Some(judgement), Some(path), Some(line)) = (columns.next(), columns.next(), columns.next())
        else {
            return Err(format!("line {} has not three columns", number + 1));
        };
        let value = line.split_once('⟦').and_then(|(_, rest)| rest.split_once('⟧')).map(|(value, _)| value);
        if (judgement == "+") != value.is_some() {
            return Err(format!("line {}: `+` goes with a value between ⟦ and ⟧", number + 1));
        }
        Ok(Sample {
            set: "judged lines",
            path: path.to_owned(),
            text: line.replace(['⟦', '⟧'], "") + "\n",
            values: value.map(str::to_owned).into_iter().collect(),
        })
    })
    .collect()
}

/// One row of the table for a folder with a `labels.tsv`: file, line number, `+` or `-`. A line counts as found when a mask
/// begins on it; lines without a label do not count.
///
/// # Errors
/// That a file cannot be read or the labels have another form.
pub(crate) fn folder(folder: &Path, show: bool) -> Result<String, String> {
    let read = |path: &Path| {
        std::fs::read(path)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .map_err(|error| format!("{}: {error}", path.display()))
    };
    let mut labels: BTreeMap<String, Vec<(usize, bool)>> = BTreeMap::new();
    for row in read(&folder.join("labels.tsv"))?.lines().filter(|row| !row.is_empty()) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [file, line, label @ ("+" | "-")] = columns.as_slice() else {
            return Err(format!("not a label: {row}"));
        };
        let line = line.parse().map_err(|_| format!("not a line number: {line}"))?;
        labels.entry((*file).to_owned()).or_default().push((line, *label == "+"));
    }
    let (mut values, mut found, mut false_masks) = (0usize, 0usize, 0usize);
    for (file, lines) in &labels {
        let text = read(&folder.join(file))?;
        let (_, masks) = masked(file, &text);
        let hit: BTreeSet<usize> =
            masks.iter().map(|mask| text[..mask.start].matches('\n').count() + 1).collect();
        for (line, secret) in lines {
            values += usize::from(*secret);
            found += usize::from(*secret && hit.contains(line));
            false_masks += usize::from(!secret && hit.contains(line));
            if show && *secret != hit.contains(line) {
                println!("{}: {file}:{line}", if *secret { "missed" } else { "in vain" });
            }
        }
    }
    let recall = found as f64 / values.max(1) as f64;
    let precision = found as f64 / (found + false_masks).max(1) as f64;
    let f1 = 2.0 * recall * precision / (recall + precision).max(f64::MIN_POSITIVE);
    let name = folder.display();
    Ok(format!("| {name} | {values} | {found} | {false_masks} | {recall:.3} | {precision:.3} | {f1:.3} |\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judged_line_is_read_with_its_value() {
        let table = "# head\n+\tsrc/a.py\tpassword = \"⟦abc123⟧\"\n-\tsrc/b.py\tx = 1\n";
        let read = lines(table).unwrap();
        assert_eq!(
            (read[0].text.as_str(), read[0].values.as_slice()),
            ("password = \"abc123\"\n", ["abc123".to_owned()].as_slice())
        );
        assert!(read[1].values.is_empty());
        for wrong in ["+\tsrc/a.py\tx", "-\tsrc/a.py\t⟦x⟧", "+\tsrc/a.py"] {
            assert!(lines(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_judged_lines_of_the_project_are_at_least_two_thousand() {
        let workspace = crate::workspace::Workspace::here();
        let read = lines(&workspace.text("fixtures/redaction/judged.tsv")).unwrap();
        assert!(read.len() >= 2_000, "{}", read.len());
    }
}
