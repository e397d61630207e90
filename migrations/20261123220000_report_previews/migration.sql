-- How many previews a team has had on a day: one row a team, of the last day on which it asked.
CREATE TABLE "report_previews" (
  "team_id" UUID NOT NULL,
  "day" DATE NOT NULL,
  "used" INTEGER NOT NULL,
  CONSTRAINT "report_previews_pkey" PRIMARY KEY ("team_id"),
  CONSTRAINT "report_previews_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
SELECT wall_team_rows('report_previews');
