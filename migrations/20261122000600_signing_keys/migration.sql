-- The public part of every key that has signed a document or a fingerprint: what a retired key signed is verified by it for good.
CREATE TABLE "signing_keys" (
  "id" TEXT NOT NULL,
  "purpose" TEXT NOT NULL,
  "public_key" BYTEA NOT NULL,
  "certificate" BYTEA,
  "sealed_private_key" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "retired_at" TIMESTAMPTZ(3),
  CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "signing_keys_purpose" CHECK ("purpose" IN ('fingerprint', 'document')),
  CONSTRAINT "signing_keys_certificate" CHECK (("purpose" = 'document') = ("certificate" IS NOT NULL))
);
