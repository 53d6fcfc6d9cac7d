import { type AttentionItem } from '@domain/reports';
import { type CrmType } from '@adapters/crm';

/** As their vendors write them. */
const NAMES: Readonly<Record<CrmType | 'slack', string>> = {
  slack: 'Slack',
  hubspot: 'HubSpot',
  salesforce: 'Salesforce',
  pipedrive: 'Pipedrive',
  zoho: 'Zoho CRM',
  close: 'Close',
  attio: 'Attio',
};

/** A connection as it stands. */
export interface ConnectionSnapshot {
  readonly type: CrmType | 'slack';
  /** Whether a person wants it to work. */
  readonly enabled: boolean;
  readonly status: string;
}

/** What a report says of connections: only a person can connect again what the vendor refuses. */
export function getAttention(connections: readonly ConnectionSnapshot[]): AttentionItem[] {
  return connections
    .filter(({ enabled, status }) => enabled && status === 'disconnected')
    .map(({ type }) => ({
      severity: 'critical',
      sentence: `${NAMES[type]} is disconnected: somebody has to connect it again.`,
    }));
}
