import { AsyncLocalStorage } from 'node:async_hooks';

/** What a log line says about the request or job during which it was written. Ids only. */
export interface ContextFields {
  requestId?: string;
  queue?: string;
  jobId?: string;
  workspaceId?: string;
  keyId?: string;
  userId?: string;
}

const storage = new AsyncLocalStorage<ContextFields>();

/** Runs `work` with its own context; lines logged inside carry the fields. */
export function runInContext<T>(fields: ContextFields, work: () => T): T {
  return storage.run({ ...fields }, work);
}

/** Adds to the context of the request or job that is running; outside of one it does nothing. */
export function setContext(fields: ContextFields): void {
  Object.assign(storage.getStore() ?? {}, fields);
}

export function contextFields(): Readonly<ContextFields> {
  return storage.getStore() ?? {};
}
