import { currentUser } from '@/lib/session'; // your sign-in

export async function GET(): Promise<Response> {
  const { referralSlug } = await currentUser();
  const answer = await fetch(`${process.env.BASE_URL}/v2/advocates/${referralSlug}/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.PROGRAM_TOKEN}` },
  });
  return Response.json(await answer.json(), { status: answer.status, headers: { 'cache-control': 'no-store' } });
}
