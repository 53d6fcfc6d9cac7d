import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'inv_';

/** A new invitation token (256 random bits) and what is stored of it. */
export function createInvitationToken(): { token: string; tokenHash: string } {
  const token = PREFIX + randomBytes(32).toString('hex');
  return { token, tokenHash: hashInvitationToken(token) };
}

export function hashInvitationToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
