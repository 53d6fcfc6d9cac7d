import 'reflect-metadata';
import { checkedInput } from '@domain/access';
import { CheckMailboxHealthRequest, HEALTH_EXAMPLES } from './health-requests.dto';

it('has a valid example body', () => {
  expect(checkedInput(CheckMailboxHealthRequest, HEALTH_EXAMPLES.check)).toEqual(HEALTH_EXAMPLES.check);
});
