/** Who did something, as it is kept in the audit log. */
export interface Actor {
  /** `user`: a person's platform key; `workspace_key`: a key of the workspace; `operator`: the CLI; `system`: the platform. */
  kind: 'user' | 'workspace_key' | 'operator' | 'system';
  /** The person, where one is known. */
  userId: string | null;
  /** The key that was used, where one was. */
  keyId: string | null;
}

/** The platform itself (worker, clock) or the operator at the command line. */
export function systemActor(kind: 'operator' | 'system'): Actor {
  return { kind, userId: null, keyId: null };
}
