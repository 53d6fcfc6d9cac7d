import { type Migration } from '@platform/migrations';
import { type mongo } from 'mongoose';

const FIELDS = ['nextAt', 'requestedFor', 'plannedFor'] as const;
const WITH_NULL = { $or: FIELDS.map((field) => ({ [field]: { $type: 'null' } })) };

/** Release 0.2.0 stored null for a run that is not planned. An update with `$min` would keep null, and never schedule a run. */
export const mailboxLeases: Migration = {
  name: '0006-mailbox-leases',
  why: 'A mailbox lease is a work partition now: it has no field for a run that is not planned, and a null there would stay.',
  isRequired: true,
  left: (database) => database.collection('mailbox_leases').countDocuments(WITH_NULL),
  run: async (database, signal) => {
    const leases = database.collection('mailbox_leases');
    const left = await leases.countDocuments(WITH_NULL);
    for (const field of FIELDS) {
      signal.throwIfAborted();
      const isNull = { [field]: { $type: 'null' } } as mongo.Filter<mongo.BSON.Document>;
      await leases.updateMany(isNull, { $unset: { [field]: 1 } });
    }
    return left;
  },
};
