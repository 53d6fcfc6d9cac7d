import { createRequire } from 'node:module';

/**
 * Compiled exports that benches load, by file below `dist`, each with the methods that a bench calls or replaces. Benches
 * run plain JavaScript, which the compiler does not check: `built.spec.mts` compares this table with the sources.
 */
export const BUILT_EXPORTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'apps/api/src/api.module': { ApiModule: [] },
  'apps/api/src/api-setup': { setUpApi: [] },
  'apps/api/src/http/access.decorator': { Access: [] },
  'apps/worker/src/worker.module': { WorkerModule: [] },
  'libs/adapters/crm/crm-drivers': { CrmDrivers: ['driver'] },
  'libs/adapters/dns/resolver/resolver-dns.driver': { ResolverDnsDriver: [] },
  'libs/adapters/mail/mime/compose-message': { composeMessage: [] },
  'libs/adapters/mail/smtp-imap/smtp-imap.driver': { SmtpImapDriver: ['open'] },
  'libs/domain/enrichment/verification/domain/mail-domains.service': { MailDomainsService: [] },
  'libs/domain/enrichment/verification/email-verification.service': { EmailVerificationService: ['verify'] },
  'libs/domain/inbox/auto-reply/auto-reply': { classifyAutoReply: [] },
  'libs/domain/inbox/classify/classify': { classify: [] },
  'libs/domain/inbox/classify/mail-parsing': { parseMail: [] },
  'libs/domain/reports/content/charts/figure-charts': { createCampaignChart: [], createDayCharts: [] },
  'libs/domain/reports/content/charts/mailbox-charts': { createMailboxChart: [] },
  'libs/domain/reports/content/rendering/render-report': { renderReport: [] },
  'libs/domain/sending/pipeline/mailbox-sender.service': { MailboxSenderService: ['run'] },
  'libs/domain/sending/pipeline/planner-data-source.service': { PlannerDataSourceService: ['open'] },
  'libs/domain/sending/pipeline/message-handover.service': { MessageHandoverService: ['handOver'] },
  'libs/domain/sends/mailbox-lease.service': { MailboxLeaseService: ['scheduleNow'] },
  'libs/domain/tracking/tracking-token.service': { TrackingTokenService: [] },
  'libs/domain/tracking/tracking-urls': { TrackingUrls: ['open', 'click'] },
  'libs/platform/clock/system-clock.driver': { SystemClockDriver: [] },
  'libs/platform/outbound/outbound-address.service': { OutboundAddressService: [] },
  'libs/platform/outbound/outbound-http.client': { OutboundHttpClient: ['request', 'onModuleDestroy'] },
  'libs/platform/secrets/key-ring': { KeyRing: ['parse'] },
  'libs/platform/secrets/token-signer.service': { TokenSignerService: [] },
};

/**
 * Loads compiled exports by name.
 * @throws Error for a name that is not in the table or not in its file
 */
export function loadBuilt<T extends object>(...names: readonly (keyof T & string)[]): T {
  const load = createRequire(new URL('../../dist/', import.meta.url));
  return Object.fromEntries(names.map((name) => [name, requireExport(load, name)])) as T;
}

function requireExport(load: NodeJS.Require, name: string): unknown {
  const path = Object.keys(BUILT_EXPORTS).find((file) => name in (BUILT_EXPORTS[file] ?? {}));
  if (path === undefined) throw new Error(`${name} is not in the table of built exports`);
  const found = (load(`./${path}.js`) as Record<string, unknown>)[name];
  if (found === undefined) throw new Error(`dist/${path}.js does not export ${name}`);
  return found;
}
