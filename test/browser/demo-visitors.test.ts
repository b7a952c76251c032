import { expect, test } from '@jest/globals';
import { demoPrograms } from '../../bin/local/demo-data.ts';
import { ownRow, press, rowOf, said, signUp, steps, useDemo } from '../support/demo-page.ts';

const demo = useDemo();

test('a visitor whom nobody brought is told so, and may come by the link', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo`);
  await said(page, 'without an affiliate’s link').waitFor();
  const email = await signUp(page);
  await steps(page, `Signed up as ${email} → nobody brought you`).waitFor();
  await press(page, 'Play the first payment');
  await said(page, 'No affiliate brought this customer').waitFor();
  await page.getByRole('link', { name: 'Come by Amara’s link' }).click();
  await steps(page, 'click recorded').waitFor();
});

test('a visitor whom someone else brought is told that the panel is of Amara', async () => {
  const [main] = demoPrograms();
  const slug = main?.advocates[1]?.slug;
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?via=${slug}`);
  await steps(page, `Visited by ${slug}’s link → not Amara’s`).waitFor();
  const email = await signUp(page);
  await steps(page, `${email} → converted`).waitFor();
  await page.getByText('Live,').waitFor();
  expect(await rowOf(page, email).count()).toBe(0);
});

test('a visitor whose link names nobody is told what the service says of it', async () => {
  const page = await demo.newPage();
  await page.goto(`${demo.url()}/demo?via=nobody`);
  await signUp(page);
  await said(page, 'Invalid affiliate slug').waitFor();
});

test('a visitor who asks not to be tracked is not, and is told so', async () => {
  const page = await demo.newPage();
  await page.addInitScript(
    "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })",
  );
  await page.goto(demo.printedAddress());
  await said(page, 'Global Privacy Control').waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

test('a visitor whose browser blocks the tracking script can sign up all the same', async () => {
  const page = await demo.newPage();
  await page.route('**/gr.js', (route) => route.abort());
  await page.goto(demo.printedAddress());
  const email = await signUp(page);
  await steps(page, `${email} → nobody brought you`).waitFor();
});

test('a visitor with a phone finds the panel below the shop, and nothing beside the screen', async () => {
  const page = await demo.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(demo.printedAddress());
  await page.getByRole('link', { name: 'What Amara sees' }).click();
  await page.getByRole('img', { name: 'Referrals per state' }).waitFor();
  await ownRow(page).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
