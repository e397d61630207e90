-- How often the printing of a report's document was started without an end: one that kills its process each time is started rarely. Processes of the version before do not count.
ALTER TABLE "reports" ADD COLUMN "render_starts" INTEGER NOT NULL DEFAULT 0;
