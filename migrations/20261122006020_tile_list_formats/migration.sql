-- Packed lists carry the number of their format: the maps make a list of a lower number anew, and never read it. The codes of
-- format 1 are those that every list was written with so far.
ALTER TABLE "tile_lists" ADD COLUMN "format" SMALLINT NOT NULL DEFAULT 1;

CREATE INDEX "tile_lists_format_idx" ON "tile_lists"("format");
