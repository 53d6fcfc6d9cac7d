import {
  createErasedAddress,
  declarePersonal,
  declareUnfinished,
  ERASED_DOMAIN,
  type Erasure,
  hasMention,
  type PersonalDataProvider,
  type Subject,
} from '@platform/personal-data';
import { LeadImportRefusalRecord } from './import/schemas/lead-import-refusal.record';
import { LeadImportRecord } from './import/schemas/lead-import.record';
import { LeadRecord } from './schemas/lead.record';

const PERSON = {
  firstName: '',
  lastName: '',
  companyName: '',
  jobTitle: '',
  phone: '',
  website: '',
  linkedinUrl: '',
  city: '',
  country: '',
  timezone: null,
  variables: {},
  thread: null,
} satisfies Partial<LeadRecord>;

export const LEADS_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    declarePersonal(LeadImportRefusalRecord, {
      foundBy: { mentions: ['rows.cells', 'rows.detail'] },
      erases: ['rows.cells', 'rows.detail'],
      erase: eraseRefusals,
    }),
    // Leads with an email on its way wait for it.
    declarePersonal(LeadRecord, {
      foundBy: { address: ['email'] },
      settled: ['sendId', null],
      identifies: { as: 'leadIds', foundBy: { address: ['email'] } },
      erases: ['email', 'domain', 'domains', ...(Object.keys(PERSON) as (keyof typeof PERSON)[])],
      isAlwaysExported: true,
      erase: eraseLead,
    }),
  ],
  // The file of an open import may contain the person.
  unfinished: [declareUnfinished(LeadImportRecord, 'openImports', {}, ['open', true])],
};

/** Counted by status and by sending date: the record remains without the person. */
function eraseLead({ _id }: LeadRecord): Erasure<LeadRecord> {
  return { set: { ...PERSON, email: createErasedAddress(_id), domain: ERASED_DOMAIN, domains: [] } };
}

/** Number and reason of rejected rows remain. */
function eraseRefusals({ rows }: LeadImportRefusalRecord, { address }: Subject): Erasure<LeadImportRefusalRecord> {
  const left = rows.map((row) =>
    [...row.cells, row.detail].some((text) => hasMention(text, address)) ? { ...row, cells: [], detail: '' } : row,
  );
  return left.every((row, at) => row === rows[at]) ? 'keep' : { set: { rows: left } };
}
