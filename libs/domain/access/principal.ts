import { type KeyScope } from './permission';

/** The holder of a valid key, before it is known in which workspace the request acts. */
export interface Principal {
  keyId: string;
  /** `user`: a platform key, acts for its user in any workspace of theirs; `workspace`: acts in one workspace only. */
  kind: 'user' | 'workspace';
  /** The person behind a platform key; null for a workspace key. */
  userId: string | null;
  /** Whether the user operates this installation (grants credits). Always false for a workspace key. */
  operator: boolean;
  scopes: readonly KeyScope[];
  /** The workspace of a workspace key, or the user's default workspace (null when they have none). */
  homeWorkspaceId: string | null;
  /** When the key stops working; null for never. Keys that it makes end no later. */
  expiresAt: Date | null;
  /** Requests per window; null means the installation's default. */
  rateLimit: number | null;
}
