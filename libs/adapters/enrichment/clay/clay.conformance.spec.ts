import { OutboundHttpClient } from '@platform/outbound';
import { describeEnrichmentTool } from '../conformance/enrichment-tool-conformance';
import { REFUSALS, TableServer } from '../testing/table-server';
import { ClayToolDriver } from './clay-tool.driver';

describeEnrichmentTool('A table with a webhook', async () => {
  const server = await TableServer.start();
  const http = new OutboundHttpClient({ allowPrivate: true });
  return {
    tool: new ClayToolDriver(http, { timeoutMs: 5_000 }, () => new Date()),
    table: { webhookUrl: server.webhookUrl, authToken: server.token },
    fails: (reason, retryAfterMs) => {
      if (reason === 'timeout' || reason === 'unreachable') throw new Error(`not scripted: ${reason}`);
      const headers: Record<string, string> =
        retryAfterMs === undefined ? {} : { 'retry-after': String(retryAfterMs / 1_000) };
      server.next({ ...REFUSALS[reason], headers });
    },
    staysSilent: () => server.next('silence'),
    rows: () => server.rows,
    close: async () => {
      await http.onModuleDestroy();
      await server.close();
    },
  };
});
