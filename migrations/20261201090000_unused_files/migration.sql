-- Every fifteen seconds the files are deleted that nothing came of for ninety days: all files ever read were gone through for it.
CREATE INDEX archive_files_unused ON archive_files (fetched_at) WHERE NOT used;
