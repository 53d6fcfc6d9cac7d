import {
  declarePersonal,
  ERASED,
  type Erasure,
  type PersonalDataProvider,
  removeAddress,
  type Subject,
} from '@platform/personal-data';
import { type AuditChanges } from './audit-changes';
import { AuditRecord } from './schemas/audit.record';

export const AUDIT_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    declarePersonal(AuditRecord, {
      foundBy: {
        leadIds: ['target.id'],
        conversationIds: ['target.id'],
        // Suppressed values, and the address of a report recipient.
        address: ['changes.values.to', 'changes.value.from', 'changes.email.to', 'changes.email.from'],
        addressInAnyCase: ['changes.to.to'],
      },
      erases: ['changes'],
      isAlwaysExported: true,
      erase: eraseAuditEntry,
    }),
  ],
};

/** The action remains; texts about the person are removed. */
export function eraseAuditEntry(
  { target, changes }: Pick<AuditRecord, 'target' | 'changes'>,
  subject: Subject,
): Erasure<AuditRecord> {
  if (changes === null) return 'keep';
  const isAbout = [...subject.leadIds, ...subject.conversationIds].some((one) => one.toHexString() === target.id);
  const left = isAbout ? removeTexts(changes) : removeAddress(changes, subject.address);
  return JSON.stringify(left) === JSON.stringify(changes) ? 'keep' : { set: { changes: left } };
}

function removeTexts(changes: AuditChanges): AuditChanges {
  const remove = (value: unknown) =>
    value === null || typeof value === 'number' || typeof value === 'boolean' ? value : ERASED;
  const left = Object.entries(changes).map(
    ([name, { from, to }]) => [name, { from: remove(from), to: remove(to) }] as const,
  );
  return Object.fromEntries(left);
}
