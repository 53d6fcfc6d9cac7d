import { type Model, type Types } from 'mongoose';
import pLimit from 'p-limit';

/** What a connection that is looked at now and then has to have, and an index on all of it. */
export interface CheckedConnection {
  readonly _id: Types.ObjectId;
  readonly enabled: boolean;
  readonly status: string;
  /** When the vendor was last seen to let us in, or to refuse. */
  readonly checkedAt: Date;
}

/** A connection that nobody has used for so long is looked at. */
export const IDLE_MS = 24 * 3_600_000;
export const BATCH = 100;
/** One vendor that hangs must not keep those of others waiting. */
const AT_ONCE = 20;

/**
 * Looks at the connections of all workspaces that are in force and that nobody has used since then, those of which it is longest ago first.
 * Who goes on to be idle is looked at once in a run.
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

/** Those behind the last one of the batch before, which may be due still. */
async function idle<R extends CheckedConnection>(connections: Model<R>, since: Date, last?: R): Promise<R[]> {
  const due = { $lte: since, ...(last && { $gte: last.checkedAt }) };
  return (connections as unknown as Model<CheckedConnection>)
    .find({
      status: 'connected',
      enabled: true,
      checkedAt: due,
      ...(last && { $or: [{ checkedAt: { $gt: last.checkedAt } }, { _id: { $gt: last._id } }] }),
    })
    .setOptions({ allWorkspaces: 'the worker looks at the connections of all workspaces' })
    .sort({ checkedAt: 1, _id: 1 })
    .limit(BATCH)
    .lean<R[]>();
}
