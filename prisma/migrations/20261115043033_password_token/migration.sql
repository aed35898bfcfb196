-- CreateTable
CREATE TABLE "password_token" (
    "token_hash" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "membership_id" TEXT NOT NULL,
    "by_platform" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "password_token_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "password_token_actor_id_idx" ON "password_token"("actor_id");

-- CreateIndex
CREATE INDEX "password_token_membership_id_idx" ON "password_token"("membership_id");

-- CreateIndex
CREATE INDEX "password_token_expires_at_idx" ON "password_token"("expires_at");

-- AddForeignKey
ALTER TABLE "password_token" ADD CONSTRAINT "password_token_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_token" ADD CONSTRAINT "password_token_membership_id_fkey" FOREIGN KEY ("membership_id") REFERENCES "membership"("id") ON DELETE CASCADE ON UPDATE CASCADE;
