import {
  createErasedAddress,
  declarePersonal,
  ERASED,
  type Erasure,
  isSubjectAddress,
  type PersonalDataProvider,
  removeAddress,
  type Subject,
} from '@platform/personal-data';
import { EventRecord } from './schemas/event.record';

type Data = EventRecord['data'];

/** Event data without personal data: ids, numbers and fixed texts. */
const COUNTED = new Set([
  'stepId',
  'variantId',
  'sendId',
  'messageId',
  'rule',
  'how',
  'label',
  'labelledBy',
  'matchedBy',
  'conversationId',
  'status',
  'verdict',
  'code',
  'enhancedCode',
]);
/** Dates that only concern the person. */
const DAYS = new Set(['returnsOn', 'resumesAt']);

export const EVENTS_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    declarePersonal(EventRecord, {
      foundBy: {
        leadIds: ['leadId'],
        address: ['data.email'],
        addressInAnyCase: ['data.from'],
        mentions: ['data.text', 'data.reason'],
      },
      erases: ['data'],
      isAlwaysExported: true,
      erase: eraseEvent,
    }),
  ],
};

/**
 * Figures are counted from events: they remain with the counted fields and without the person. Their data still match
 * their schema, so that a replay can post them.
 */
export function eraseEvent(
  { leadId, data }: Pick<EventRecord, 'leadId' | 'data'>,
  subject: Subject,
): Erasure<EventRecord> {
  const isOfSubject = leadId !== null && subject.leadIds.some((id) => id.equals(leadId));
  const left =
    isOfSubject || isSubjectAddress(data['email'], subject.address)
      ? pickCounted(leadId, data)
      : eraseForeignEvent(data, subject);
  return left === null ? 'keep' : { set: { data: left } };
}

function pickCounted(leadId: EventRecord['leadId'], data: Data): Data | null {
  const left = Object.entries(data).map(([name, value]) => {
    if (name === 'email') return [name, createErasedAddress(leadId)] as const;
    return [
      name,
      isHarmless(name, value) ? value : typeof value === 'string' && !DAYS.has(name) ? ERASED : null,
    ] as const;
  });
  return left.every(([name, value]) => value === data[name]) ? null : Object.fromEntries(left);
}

function isHarmless(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return value === null || typeof value === 'number' || typeof value === 'boolean';
  return COUNTED.has(name) || (name === 'reason' && /^[a-z_]{1,40}$/.test(value));
}

/** About another person, for example a colleague's reply. */
function eraseForeignEvent(data: Data, { address }: Subject): Data | null {
  const left = removeAddress(data, address);
  if (!isSubjectAddress(data['from'], address)) return left === data ? null : left;
  const unsaid = Object.entries({ from: null, subject: '', text: ERASED }).filter(([name]) => name in data);
  return { ...left, ...Object.fromEntries(unsaid) };
}
