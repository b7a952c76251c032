class ApplicationController < ActionController::Base
  GR_ID = /\A[a-z0-9_-]{1,64}\.([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\z/
  LIFETIME = 60.days

  before_action do
    gr_id = GR_ID.match(cookies[:gr_id].to_s.scrub)
    expires = Time.at((gr_id[1] + gr_id[2]).to_i(16) / 1000) + LIFETIME if gr_id
    is_page = request.headers["Accept"].to_s.include?("text/html") && request.headers["Sec-GPC"] != "1"
    cookie = { value: gr_id.to_s, expires: expires, domain: "shop.example", secure: true, same_site: :lax }
    cookies[:gr_id] = cookie if is_page && expires&.between?(Time.now, LIFETIME.from_now)
  end
end
