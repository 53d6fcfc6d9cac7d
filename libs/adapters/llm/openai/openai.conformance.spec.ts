import { OutboundHttpClient } from '@platform/outbound';
import { describeLanguageModel } from '../conformance/llm-conformance';
import { completion, FAILURES, ModelServer } from '../testing/model-server';
import { OpenAiDriver } from './openai.driver';

describeLanguageModel('The HTTP API of OpenAI', async () => {
  const server = await ModelServer.start();
  const http = new OutboundHttpClient({ allowPrivate: true });
  const { baseUrl } = server;
  const model = new OpenAiDriver(
    http,
    { baseUrl, apiKey: 'sk-canary-key', model: 'test-model', timeoutMs: 5_000 },
    () => new Date(),
  );
  return {
    model,
    says: (text) => server.next(completion(text)),
    fails: (reason, retryAfterMs) => {
      const answer = reason === 'timeout' || reason === 'unreachable' ? null : FAILURES[reason];
      if (!answer) throw new Error(`not scripted: ${reason}`);
      server.next(retryAfterMs === undefined ? answer() : answer({ 'retry-after': String(retryAfterMs / 1_000) }));
    },
    staysSilent: () => server.next('silence'),
    asked: () =>
      server.asked.map(({ messages, max_tokens }) => ({
        system: messages[0]?.content ?? '',
        user: messages[1]?.content ?? '',
        maxTokens: max_tokens ?? 0,
      })),
    close: async () => {
      await http.onModuleDestroy();
      await server.close();
    },
  };
});
