-- Compared byte by byte, whatever the database's language: the unique index then finds the points under the beginning of a key.
ALTER TABLE address_points ALTER COLUMN address_key TYPE text COLLATE "C";
