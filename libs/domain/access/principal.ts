import { type KeyScope } from './permission';

/** The holder of a valid key, before the workspace of the request is resolved. */
export interface Principal {
  keyId: string;
  /**
   * `user`: a platform key, which acts for its user in any of their workspaces; `workspace`: a key of one workspace
   * only.
   */
  kind: 'user' | 'workspace';
  /** The user of a platform key; null for a workspace key. */
  userId: string | null;
  /** Whether the user operates this installation (grants credits). Always false for a workspace key. */
  operator: boolean;
  scopes: readonly KeyScope[];
  /** The workspace of a workspace key, or the default workspace of the user (null if they have none). */
  homeWorkspaceId: string | null;
  /** When the key expires; null for never. A key created with it expires no later. */
  expiresAt: Date | null;
  /** Requests per window; null for the default of the installation. */
  rateLimit: number | null;
}
