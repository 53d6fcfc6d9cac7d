import { writeFileSync } from 'node:fs';
import { busyWeek, hostileWeek, quietWeek } from '../testing/facts';
import { printed } from './report.print';
it('look', async () => {
  for (const [name, facts] of Object.entries({ busy: busyWeek(), hostile: hostileWeek(), quiet: quietWeek() })) {
    const t = performance.now();
    const { html, text, images, subject } = await printed(facts);
    console.log(
      name,
      subject,
      html.length,
      images.map((i) => i.png.length),
      performance.now() - t,
    );
    let page = html;
    for (const i of images) page = page.replace(`cid:${i.cid}`, `data:image/png;base64,${i.png.toString('base64')}`);
    writeFileSync(`/tmp/p9/w-R2/${name}.html`, page);
    writeFileSync(`/tmp/p9/w-R2/${name}.txt`, text);
  }
});
