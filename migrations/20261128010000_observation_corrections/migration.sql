-- Moments of which a station corrected what it had said: what it said before is not taken again, whichever file is read later.
CREATE TABLE "observation_corrections" (
  "station_id" TEXT NOT NULL,
  "observed_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "observation_corrections_pkey" PRIMARY KEY ("station_id", "observed_at")
);
ALTER TABLE "observation_corrections" ADD CONSTRAINT "observation_corrections_station_id_fkey" FOREIGN KEY ("station_id") REFERENCES "stations" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
