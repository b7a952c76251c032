class ReferralTokensController < ApplicationController
  def show
    url = URI("#{ENV.fetch("BASE_URL")}/v2/advocates/#{current_user.referral_slug}/tokens")
    headers = { "Authorization" => "Bearer #{ENV.fetch("PROGRAM_TOKEN")}", "Content-Type" => "application/json" }
    answer = Net::HTTP.post(url, "{}", headers)
    response.headers["Cache-Control"] = "no-store"
    render json: answer.body, status: answer.code
  end
end
