/** Who made a change, as recorded in the audit log. */
export interface Actor {
  /** `user`: a person's platform key; `workspace_key`: a key of the workspace; `operator`: the CLI; `system`: the platform. */
  kind: 'user' | 'workspace_key' | 'operator' | 'system';
  /** The user, if known. */
  userId: string | null;
  /** The key that was used, if any. */
  keyId: string | null;
}

/** The platform itself (worker, scheduler) or the operator at the command line. */
export function systemActor(kind: 'operator' | 'system'): Actor {
  return { kind, userId: null, keyId: null };
}
