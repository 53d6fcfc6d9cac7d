import {
  createErasedAddress,
  declarePersonal,
  declareUnfinished,
  type Erasure,
  type PersonalDataProvider,
} from '@platform/personal-data';
import { SendRecord, type SendState } from './schemas/send.record';
import { IN_FLIGHT } from './send-states';

/** Used by a worker: the record is left unchanged and erased by a later run. */
const OPEN: readonly SendState[] = [...IN_FLIGHT, 'ambiguous'];
const SETTLED: ReadonlySet<SendState> = new Set<SendState>(['sent', 'sent_unconfirmed', 'failed', 'planned']);
const FOUND_BY = { leadIds: ['leadId'], address: ['email'] } as const;

export const SENDS_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    declarePersonal(SendRecord, {
      foundBy: FOUND_BY,
      settled: ['state', { $nin: OPEN }],
      identifies: { as: 'sendIds', foundBy: FOUND_BY },
      erases: [
        'email',
        'subject',
        'links',
        'draftId',
        'providerMessageId',
        'providerThreadId',
        'reason',
        'lastReply.response',
        'returned.diagnostic',
        'places',
      ],
      isAlwaysExported: true,
      erase: eraseSend,
    }),
  ],
  unfinished: [declareUnfinished(SendRecord, 'onTheirWay', FOUND_BY, ['state', { $in: OPEN }])],
};

/** Counted, and found by its Message-ID when mail about it is received. */
export function eraseSend({
  leadId,
  email,
  state,
  lastReply,
  returned,
}: Pick<SendRecord, 'leadId' | 'email' | 'state' | 'lastReply' | 'returned'>): Erasure<SendRecord> {
  const stub = createErasedAddress(leadId);
  if (email === stub) return 'keep';
  return {
    set: {
      email: stub,
      subject: '',
      links: [],
      draftId: null,
      providerMessageId: null,
      providerThreadId: null,
      reason: null,
      ...(lastReply && { lastReply: { ...lastReply, response: '' } }),
      ...(returned && { returned: { ...returned, diagnostic: null } }),
      // Names of limits contain the domain.
      ...(SETTLED.has(state) && { places: null }),
    },
  };
}
