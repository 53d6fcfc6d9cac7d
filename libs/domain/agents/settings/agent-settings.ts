import { invalidField } from '@platform/errors';
import { type SendingSchedule } from '@platform/time';
import { type AgentSettingsRequest } from '../dto/agent-requests.dto';
import { type AgentCompany, type AgentRecord } from '../schemas/agent.record';
import { DEFAULT_AUTONOMY, DEFAULT_COMPANY, DEFAULT_FOLLOWUPS, DEFAULT_PERSONA } from './agent-defaults';
import { normalizeStopWords } from './stop-word-normalization';
import { parseWebsiteHost } from './website-host';

/** The settings of an agent. */
export type AgentSettings = Pick<
  AgentRecord,
  'companyInfo' | 'website' | 'persona' | 'autonomousMode' | 'followupSettings'
>;

export const DEFAULT_SETTINGS: AgentSettings = {
  companyInfo: DEFAULT_COMPANY,
  website: null,
  persona: DEFAULT_PERSONA,
  autonomousMode: DEFAULT_AUTONOMY,
  followupSettings: DEFAULT_FOLLOWUPS,
};

/**
 * Merges an input into settings: omitted fields stay, null restores the default.
 * @throws VALIDATION_ERROR naming an invalid website, or working hours that end when they begin
 */
export function mergeSettings(before: AgentSettings, input: AgentSettingsRequest): AgentSettings {
  const { companyInfo, website } = mergeCompany(before, input);
  const autonomous = mergeFields(before.autonomousMode, DEFAULT_AUTONOMY, input.autonomousMode);
  return {
    companyInfo,
    website,
    persona: mergeFields(before.persona, DEFAULT_PERSONA, input.persona),
    autonomousMode: {
      ...autonomous,
      stopWords: normalizeStopWords(autonomous.stopWords),
      workingHours: autonomous.workingHours && toHours(autonomous.workingHours),
    },
    followupSettings: mergeFields(before.followupSettings, DEFAULT_FOLLOWUPS, input.followupSettings),
  };
}

/** The website and the company's domain; each defaults to the other. */
function mergeCompany(
  before: AgentSettings,
  { companyInfo, companyUrl }: AgentSettingsRequest,
): Pick<AgentSettings, 'companyInfo' | 'website'> {
  const merge = mergeFields(before.companyInfo, DEFAULT_COMPANY, companyInfo);
  const address = companyUrl ? requireHost('companyUrl', companyUrl) : companyUrl;
  const domain = merge.domain === '' ? '' : requireHost('companyInfo.domain', merge.domain);
  const company: AgentCompany = { ...merge, domain: domain || (address ?? '') };
  const isDomainNew = domain !== before.companyInfo.domain;
  const website = address === undefined && isDomainNew ? domain || null : address;
  return { companyInfo: company, website: website === undefined ? before.website : website };
}

function requireHost(field: string, input: string): string {
  const host = parseWebsiteHost(input);
  if (host === null)
    throw invalidField(field, `${field} must be a website, such as example.com or https://example.com/`);
  return host;
}

function toHours({ timezone, startTime, endTime, workingDays }: SendingSchedule): SendingSchedule {
  if (startTime === endTime) {
    const field = 'autonomousMode.workingHours.endTime';
    throw invalidField(field, `${field} must differ from startTime; from 00:00 to 23:59 is the whole day`);
  }
  return { timezone, startTime, endTime, workingDays: workingDays.toSorted((one, other) => one - other) };
}

type SettingsInput<T> = { [field in keyof T]?: T[field] | null };

/** @param input undefined: no change; null: the defaults; the same for each field */
function mergeFields<T extends object>(before: T, defaults: T, input: SettingsInput<T> | null | undefined): T {
  if (input === undefined) return before;
  if (input === null) return defaults;
  const fields = Object.keys(defaults) as (keyof T)[];
  return Object.fromEntries(
    fields.map((field) => [field, input[field] === undefined ? before[field] : (input[field] ?? defaults[field])]),
  ) as T;
}
