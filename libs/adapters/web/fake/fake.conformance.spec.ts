import { describeWebPages } from '../conformance/web-conformance';
import { FakePagesDriver } from './fake-pages.driver';

describeWebPages('The fake', () => {
  const pages = new FakePagesDriver();
  const address = (path: string) => `http://fake.test${path}`;
  return Promise.resolve({
    pages,
    address,
    serves: (path, page) => pages.put(address(path), page),
    hangs: (path) => pages.fail(address(path), 'silence'),
    nowhere: () => {
      pages.fail('http://nowhere.test/', 'unreachable');
      return 'http://nowhere.test/';
    },
    close: () => Promise.resolve(),
  });
});
