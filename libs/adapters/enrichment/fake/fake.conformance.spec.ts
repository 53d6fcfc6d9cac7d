import { describeEnrichmentTool } from '../conformance/enrichment-tool-conformance';
import { FakeToolDriver } from './fake-tool.driver';

describeEnrichmentTool('The fake', () => {
  const tool = new FakeToolDriver();
  return Promise.resolve({
    tool,
    table: { webhookUrl: 'https://tables.example/1', authToken: 'token' },
    fails: (fails, retryAfterMs) => tool.next(retryAfterMs === undefined ? { fails } : { fails, retryAfterMs }),
    staysSilent: () => tool.next('silence'),
    rows: () => tool.rows.map(({ row }) => row),
    close: () => Promise.resolve(),
  });
});
