import { createCall } from './call.ts';
import { operations } from './generated/operations.gen.ts';

export interface OutreachOptions {
  /** Where the platform is, without `/v1`. */
  baseUrl: string;
  /** A workspace key (`sk_…`), or a platform key (`sk_user_…`) of a user. */
  apiKey: string;
  /** The workspace in which a platform key acts; without it the user's default workspace. */
  workspaceId?: string;
  /** How long one attempt of a call may take (ms); 30 seconds by default. */
  timeoutMs?: number;
  /** How often a call is tried again at most, where that is safe; three times by default. */
  retries?: number;
  /** Makes the requests instead of the platform's own `fetch`: behind a proxy, say, or in tests. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits between attempts (ms). */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Every operation of the API, in groups. */
export interface Outreach extends ReturnType<typeof operations> {}

/** A client of one platform, as the holder of one key. It keeps no connection open and needs no closing. */
export function createOutreach(options: OutreachOptions): Outreach {
  return operations(createCall(options));
}
