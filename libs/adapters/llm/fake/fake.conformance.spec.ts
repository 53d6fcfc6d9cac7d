import { describeLanguageModel } from '../conformance/llm-conformance';
import { FakeModelDriver } from './fake-model.driver';

describeLanguageModel('The fake', () => {
  const model = new FakeModelDriver();
  return Promise.resolve({
    model,
    says: (text) => model.next({ text }),
    fails: (fails, retryAfterMs) => model.next(retryAfterMs === undefined ? { fails } : { fails, retryAfterMs }),
    staysSilent: () => model.next('silence'),
    asked: () => model.requests.map(({ system, user, maxTokens }) => ({ system, user, maxTokens })),
    close: () => Promise.resolve(),
  });
});
