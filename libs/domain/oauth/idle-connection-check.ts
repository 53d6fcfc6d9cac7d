import { type Model, type Types } from 'mongoose';
import pLimit from 'p-limit';

/** The fields that an idle check reads; all are indexed. */
export interface CheckedConnection {
  readonly _id: Types.ObjectId;
  readonly enabled: boolean;
  readonly status: string;
  /** When the vendor last accepted or rejected the credentials. */
  readonly checkedAt: Date;
}

/** A connection that was unused for this long is checked. */
export const IDLE_MS = 24 * 3_600_000;
export const BATCH = 100;
/** Checks run concurrently, so that one hanging vendor does not block the others. */
const AT_ONCE = 20;

/**
 * Checks the connected but unused connections of all workspaces, oldest check first, each once per run.
 * @param check throws for nothing but what ends the run
 */
export async function checkIdle<R extends CheckedConnection>(
  connections: Model<R>,
  since: Date,
  signal: AbortSignal,
  check: (connection: R) => Promise<void>,
): Promise<void> {
  const limit = pLimit(AT_ONCE);
  let last: R | undefined;
  do {
    signal.throwIfAborted();
    const batch = await idle(connections, since, last);
    await Promise.all(batch.map((one) => limit(() => (signal.aborted ? undefined : check(one)))));
    last = batch.length === BATCH ? batch.at(-1) : undefined;
  } while (last);
  signal.throwIfAborted();
}

/** Continues after the last connection of the previous batch, which may still be due. */
async function idle<R extends CheckedConnection>(connections: Model<R>, since: Date, last?: R): Promise<R[]> {
  const due = { $lte: since, ...(last && { $gte: last.checkedAt }) };
  return (connections as unknown as Model<CheckedConnection>)
    .find({
      status: 'connected',
      enabled: true,
      checkedAt: due,
      ...(last && { $or: [{ checkedAt: { $gt: last.checkedAt } }, { _id: { $gt: last._id } }] }),
    })
    .setOptions({ allWorkspaces: 'the worker checks the connections of all workspaces' })
    .sort({ checkedAt: 1, _id: 1 })
    .limit(BATCH)
    .lean<R[]>();
}
