import 'reflect-metadata';
import { checkedInput } from '@domain/access';
import { UpdateConversationRequest } from './conversation-requests.dto';
import { INBOX_EXAMPLES } from './inbox-examples';

it('has valid example bodies', () => {
  expect(checkedInput(UpdateConversationRequest, INBOX_EXAMPLES.update)).toEqual(INBOX_EXAMPLES.update);
});
