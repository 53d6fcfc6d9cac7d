import { type AttentionItem } from '@domain/reports';
import { type CrmType } from '@adapters/crm';

/** Names as the vendors spell them. */
const NAMES: Readonly<Record<CrmType | 'slack', string>> = {
  slack: 'Slack',
  hubspot: 'HubSpot',
  salesforce: 'Salesforce',
  pipedrive: 'Pipedrive',
  zoho: 'Zoho CRM',
  close: 'Close',
  attio: 'Attio',
};

/** A connection with its present state. */
export interface ConnectionSnapshot {
  readonly type: CrmType | 'slack';
  /** Whether a person wants it to work. */
  readonly enabled: boolean;
  readonly status: string;
}

/** What a report says about connections: only a person can reconnect a rejected one. */
export function getAttention(connections: readonly ConnectionSnapshot[]): AttentionItem[] {
  return connections
    .filter(({ enabled, status }) => enabled && status === 'disconnected')
    .map(({ type }) => ({
      severity: 'critical',
      sentence: `${NAMES[type]} is disconnected: a person has to reconnect it.`,
    }));
}
