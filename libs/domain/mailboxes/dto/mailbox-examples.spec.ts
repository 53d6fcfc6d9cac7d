import 'reflect-metadata';
import { checkedInput } from '@domain/access';
import { TestMailboxRequest } from './mailbox-test.dto';
import { MAILBOX_EXAMPLES } from './mailbox-examples';
import { CreateMailboxRequest, UpdateMailboxRequest } from './mailbox-requests.dto';
import { StartOAuthRequest } from './oauth.dto';
import { ConnectServiceAccountRequest } from './service-account.dto';

it('the example bodies are valid requests', () => {
  const { create, update, test, startOAuth, connectServiceAccount } = MAILBOX_EXAMPLES;
  expect(checkedInput(CreateMailboxRequest, create)).toEqual(create);
  expect(checkedInput(UpdateMailboxRequest, update)).toEqual(update);
  expect(checkedInput(TestMailboxRequest, test)).toEqual(test);
  expect(checkedInput(StartOAuthRequest, startOAuth)).toEqual(startOAuth);
  expect(checkedInput(ConnectServiceAccountRequest, connectServiceAccount)).toEqual(connectServiceAccount);
});
