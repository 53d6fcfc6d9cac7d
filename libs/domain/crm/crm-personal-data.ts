import { declarePersonal, type Erasure, type PersonalDataProvider, type Subject } from '@platform/personal-data';
import { CrmActivityRecord } from './activity/schemas/crm-activity.record';
import { CrmDuePushRecord } from './automation/schemas/crm-due-push.record';
import { CrmSyncJobRecord } from './jobs/schemas/crm-sync-job.record';
import { CrmSyncResultRecord } from './jobs/schemas/crm-sync-result.record';
import { CrmLinkRecord } from './links/schemas/crm-link.record';

export const CRM_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    // The text is composed when the activity is posted to the CRM, so deleting it is enough. Posted activities belong to
    // the CRM.
    declarePersonal(CrmActivityRecord, { foundBy: { leadIds: ['leadId'] }, erases: 'all', erase: () => 'delete' }),
    declarePersonal(CrmDuePushRecord, { foundBy: { leadIds: ['leadId'] }, erases: 'all', erase: () => 'delete' }),
    // A later sync does not restore the link: the address is suppressed.
    declarePersonal(CrmLinkRecord, { foundBy: { address: ['email'] }, erases: 'all', erase: () => 'delete' }),
    // Counted by its job: the record remains.
    declarePersonal(CrmSyncResultRecord, {
      foundBy: { address: ['email'] },
      erases: ['email', 'externalId', 'message', 'changes'],
      erase: eraseSyncResult,
    }),
    declarePersonal(CrmSyncJobRecord, {
      foundBy: { address: ['faults.email', 'batchDone'] },
      erases: ['faults.email', 'faults.externalId', 'faults.message', 'batchDone'],
      erase: eraseSyncJob,
    }),
  ],
};

/** The outcome remains without the person. */
export function eraseSyncResult(): Erasure<CrmSyncResultRecord> {
  return { set: { email: '', externalId: '', leadId: null, message: '', changes: '' } };
}

/**
 * A job names its first failures, and the people of an unfinished batch, which another run may process again. A concurrent
 * writer reads the job again.
 */
export function eraseSyncJob(
  { faults, batchDone, revision }: Pick<CrmSyncJobRecord, 'faults' | 'batchDone' | 'revision'>,
  { address }: Subject,
): Erasure<CrmSyncJobRecord> {
  const left = faults.map((fault) =>
    fault.email === address ? { ...fault, email: '', externalId: '', message: '' } : fault,
  );
  return { set: { faults: left, batchDone: batchDone.filter((email) => email !== address), revision: revision + 1 } };
}
